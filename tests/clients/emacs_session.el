;;; emacs_session.el --- What a person does in Emacs, step by step  -*- lexical-binding: t; -*-

;; In batch each question reads one line of standard input, so the answers are the test's stdin, in this order:
;; the intent, the quick fix, the answers to the agent's two questions (the change is shown before the second), and the
;; answer to the question that selecting a closed intent is.

(package-initialize)
(require 'eglot)
(add-to-list 'eglot-server-programs '(python-mode "no-such-language-server")) ; whatever is installed here
(require 'intentls-eglot)
(setq eglot-sync-connect 60 eglot-autoshutdown nil)
(add-to-list 'auto-mode-alist '("\\.md\\'" . text-mode))

(defun say (text &rest arguments) (princ (concat (apply #'format text arguments) "\n")))

(defun wait (what look)
  (let ((end (+ (float-time) 60)) found)
    (while (not (setq found (funcall look)))
      (when (> (float-time) end) (error "It never happened: %s" what))
      (accept-process-output nil 0.05))
    found))

(defun expect (text wanted)
  (unless (string-match-p (regexp-quote wanted) text) (error "%S is not in\n%s" wanted text)))

(defun marks () (flymake-start nil) (flymake-diagnostics))

(defun mode-line () (substring-no-properties (or (intentls--mode-line) "")))

(defun agent-asks (path)
  "An agent wants to write PATH.  Return what waits for the gate's answer to it."
  (let (answer)
    (jsonrpc-async-request
     (eglot-current-server) :workspace/executeCommand
     (list :command "intent.writeToFile" :arguments (vector (list :path path :content "written\n")))
     :success-fn (lambda (result) (setq answer result)) :timeout 60)
    (wait "the question" (lambda () (string-suffix-p ", 1 question]" (mode-line))))
    (lambda () (wait "the gate's answer" (lambda () answer)))))

(find-file "docs/design.md")
(apply #'eglot (eglot--guess-contact))
(wait "the server" (lambda () (and (eglot-current-server) (eglot-managed-p))))
(say "Emacs %s" emacs-version)
(expect (intentls--state-text nil) "intents are loading") ; as long as the server has told nothing
(wait "the state" (lambda () (equal (mode-line) " [no intent]")))

(call-interactively #'intentls-select)
(wait "the state" (lambda () (equal (mode-line) " [INT-001]")))
(let ((mark (car (wait "the mark" #'marks))))
  (say "marked: %s" (flymake-diagnostic-text mark))
  (expect (flymake-diagnostic-text mark) "INT-002"))

(let ((last-nonmenu-event t)) ; as if called from the keyboard, not the mouse
  (eglot-code-actions (point-min) (point-max) nil t))
(wait "the mark to go" (lambda () (null (marks))))
(say "fixed")

(goto-char (point-max))
(insert "by hand 🎈\ntwice\n")
(save-buffer)
(wait "the record"
      (lambda ()
        (ignore-errors
          (with-temp-buffer
            (insert-file-contents "../.orchestration/agent_trace.jsonl")
            (search-forward "\"did_save\"" nil t)))))
(save-current-buffer
  (intentls-trace)
  (say "%s" (buffer-string))
  (unless (string-match-p "INT-001 +Ada +DOCUMENTATION +2-3" (buffer-string)) (error "That is no trace")))

(forward-line -1)
(intentls--cursor-rests (current-buffer))
(let ((author (wait "the author" (lambda () intentls--line-author))))
  (say "at the end of the line:%s" (overlay-get author 'after-string))
  (unless (= (overlay-start author) (line-end-position)) (error "Not at the end of the line"))
  (expect (overlay-get author 'after-string) "Ada, just now · INT-001 Build Weather API")
  (goto-char (point-min))
  (run-hooks 'post-command-hook)
  (when (overlay-buffer author) (error "The author stays where the cursor was")))

(let ((answer (agent-asks "docs/rejected.md")))
  (call-interactively #'intentls-answer)
  (expect (plist-get (funcall answer) :code) "SCOPE_VIOLATION"))
(let ((answer (agent-asks "docs/approved.md")))
  (call-interactively #'intentls-answer)
  (with-current-buffer "*change of docs/approved.md*" (expect (buffer-string) "+written"))
  (expect (plist-get (funcall answer) :status) "ok"))
(wait "the count to go" (lambda () (equal (mode-line) " [INT-001]")))
(condition-case refusal
    (progn (intentls-answer) (error "There was a question"))
  (user-error (expect (error-message-string refusal) "No agent waits")))
(let ((hers '(:contributor (:type "ai" :model_id "anthropic/claude-opus-4-5" :on_behalf_of "Ada")))
      (bens '(:contributor (:type "human" :name "Ben\n" :attested_by "Ada"))))
  (expect (intentls--who (list hers bens)) "claude-opus-4-5 for Ada, Ben  (attested)"))
(say "answered both ways")

(condition-case refusal
    (progn (intentls-select "INT-003") (error "A closed intent was selected"))
  (user-error (expect (error-message-string refusal) "INT-003")))

(let* ((file (expand-file-name "../.orchestration/active_intents.yaml"))
       (good (with-temp-buffer (insert-file-contents file) (buffer-string))))
  (write-region (string-replace "status:" "status: [" good) nil file)
  (wait "the broken state" (lambda () (equal (mode-line) " [agents blocked]")))
  (write-region good nil file)
  (wait "the state" (lambda () (equal (mode-line) " [INT-001]"))))

(let ((eglot-server-programs (cons '(python-mode "sh") eglot-server-programs)))
  (with-temp-buffer
    (python-mode)
    (expect (format "%S" (intentls--contact-or-fallback t)) "(\"sh\")")))
(dolist (start '(("../src/api/weather.py" eglot) ("../src/new.conf" intentls-start)))
  (save-current-buffer
    (find-file (car start))
    (call-interactively (cadr start)) ; a question for a program would find no answer
    (wait "the state" (lambda () (and intentls-mode (equal (mode-line) " [no intent]"))))
    (say "%s: %s%s" (file-name-nondirectory (car start)) major-mode (mode-line))
    (eglot-shutdown (eglot-current-server) nil 60)
    (when intentls-mode (error "It goes on without a server"))))

(intentls-clear)
(wait "the state" (lambda () (equal (mode-line) " [no intent]")))
(eglot-shutdown (eglot-current-server) nil 60)
(say "PASS")
