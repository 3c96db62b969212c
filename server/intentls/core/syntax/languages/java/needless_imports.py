"""Imports of Java that say what is so anyway: of a class of the same package, or of `java.lang`.

package shop;                          package shop;
import java.lang.String;
import shop.Cart;
class Till { Cart cart; String name; } class Till { Cart cart; String name; }
"""

from __future__ import annotations

from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.tree import Node, spelling

REASON = "imports of what every class here has"


def without_needless_imports(root: Node, facts: Surroundings) -> None:
    """An `InformedRewrite`: no import of a class, or of all of a package, that the file would mean by the name anyway.

    One of `java.lang` stays where a class of the repository has the name: it could be one of the same package.
    """
    clause = next((spelling(child) for child in root.children if child.kind == "package_declaration"), "")
    package = "".join(clause.split()).removeprefix("package").removesuffix(";")

    def is_needless(child: Node) -> bool:
        if child.kind != "import_item":
            return False
        module, name = (child.children[0].text or "").removeprefix("import "), child.children[-1]
        if module == "java.lang":
            return name.kind == "wildcard" or facts.is_no_class(name.text or "")
        return module == package and bool(package)

    root.children = [child for child in root.children if not is_needless(child)]
