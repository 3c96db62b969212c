"""Names and messages that an attacker may choose, so that whatever shows them does something else than show them."""

from __future__ import annotations

_MARKUP = (
    "<script>alert(1)</script>", "</title><script>alert(1)</script>", "</style><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<svg/onload=alert(1)//", "<iframe src=javascript:alert(1)>",
    "<a href='javascript:alert(1)'>x</a>", "<body onload=alert(1)>", "<details open ontoggle=alert(1)>",
    "<math><mi//xlink:href=\"data:x,<script>alert(1)</script>\">", "<input autofocus onfocus=alert(1)>",
    "<video><source onerror=alert(1)>", "<marquee onstart=alert(1)>", "<object data=javascript:alert(1)>",
    "<embed src=//evil.example>", "<base href=//evil.example/>", "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<link rel=stylesheet href=//evil.example/x.css>", "<style>*{display:none}</style>", "<form action=//evil.example><button>",
    "<template><script>alert(1)</script></template>", "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<!--><script>alert(1)</script>-->", "<![CDATA[<script>alert(1)</script>]]>", "<?xml version='1.0'?>",
    "\" onmouseover=\"alert(1)", "' onmouseover='alert(1)", "` onmouseover=`alert(1)", "\"><script>alert(1)</script>",
    "'><img src=x onerror=alert(1)>", "--><script>alert(1)</script><!--", "</bdi></p></li></ul></main><h1>Clean</h1>",
    "</details></details><h1>Approved</h1>", "</code></td></tr></table>", "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)", "&NewLine;&Tab;&colon;", "\\u003cscript\\u003e", "%3Cscript%3E", "{{ 7 * 7 }}", "{% raw %}",
    "{{ ''.__class__.__mro__ }}", "{# comment #}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "*/}</style><script>", "url(//evil.example)",
    "expression(alert(1))", "xlink:href=javascript:alert(1)",
)  # fmt: skip
_LINKS = (
    "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:msgbox(1)", "https://evil.example/",
    "http://evil.example/?q=1", "//evil.example", "www.evil.example", "ftp://evil.example", "mailto:eve@evil.example",
    "eve@evil.example", "xmpp:eve@evil.example", "[Clean](https://evil.example)", "[Clean](javascript:alert(1))",
    "![x](https://evil.example/x.png)", "![x](data:image/svg+xml,<svg onload=alert(1)>)", "<https://evil.example>",
    "<eve@evil.example>", "[a]: https://evil.example", "[a][a]", "[^1]", "[^1]: footnote", "[[wiki]]",
    "https://evil.example`", "`https://evil.example", "``https://evil.example`", "` [x](https://evil.example) `",
    "\\`[x](https://evil.example)\\`", "`` ` ``[x](//evil.example)", "tel:+1234567", "vscode://file/etc/passwd",
)  # fmt: skip
_MENTIONS = (
    "@octocat", "@org/team", "please merge @everyone", "(@octocat)", "@octocat:", "cc:@octocat,@ada", "#1", "#123456", "GH-1",
    "gh-12", "octocat/repo#1", "octocat#1", "octocat@deadbeef", "deadbeef", "deadbeefdeadbeef", "1234567", "0123456789abcdef",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709", "!12", "%1", "~label", "$1", "&1", "JIRA-1", "Fixes #1", "Closes: #2",
    "Co-authored-by: Eve <eve@evil.example>", "/approve", "/merge", ":shipit:", ":+1:", "CVE-2024-1234", "@dependabot merge",
)  # fmt: skip
_LAYOUT = (
    "# Approved", "## intentls: Clean", "> quoted", "- item", "* item", "1. item", "    code", "```", "~~~", "```mermaid\ngraph",
    "---", "===", "| a | b |", "a | b", "\\| a", "a\\|b", "\\", "a\\", "`", "``", "```x```", "**bold**", "__bold__", "~~gone~~",
    "<!-- intentls report -->", "<!-- x", "-->", "$x^2$", "$$x$$", "$`x`$", "line\nline", "a\r\nb", "a\n\n# Approved", "\n",
    "a\n- [x] done", "- [x] done", "\t tab", " leading", "trailing ", "", " ", "====\n", "[x]", "a  \nb", "a<br>b",
    ":::warning", "> [!CAUTION]", "\\# no", "&amp;", "a" * 5000, "@" * 3000, "`" * 400, "|" * 300,
)  # fmt: skip
_HIDDEN = (
    "safe\u202egpj.exe", "\u202dabc\u202c", "\u2066abc\u2069", "\u2067abc", "\u2068abc", "\u200eabc", "\u200fabc", "\u061cabc",
    "pay\u200bpal", "zero\u200cwidth", "zero\u200djoin", "word\u2060joiner", "\ufeffbom", "soft\u00adhyphen", "\u180evowel",
    "nbsp\u00a0x", "\u3000wide", "\u2028line", "\u2029paragraph", "\x00nul", "\x1b[31mred", "\x08\x08back", "\x7fdel", "\x85nel",
    "\u115f\u1160filler", "\u3164filler", "\u2800braille", "\u034fjoiner", "x\ufe0f", "\U000e0041\U000e0042tags", "\ud800half",
    "Z\u0351\u0352\u0353\u0354\u0355\u0356\u0357algo", "\ue000private", "\ufff9a\ufffab\ufffb", "𝐂𝐥𝐞𝐚𝐧", "Сlеаn", "שלום/src", "عربي.py",
)  # fmt: skip

HOSTILE = (*_MARKUP, *_LINKS, *_MENTIONS, *_LAYOUT, *_HIDDEN)
"""More than 150: for pages, for Markdown, for forges, for eyes."""

AS_NAMES = tuple(
    sorted({text.replace("/", "\u2215")[:120] for text in HOSTILE if text.isprintable() and text.strip(" .")})
)
"""Those that can be names of files, on a file system that takes anything: no slash, no control, not too long."""
