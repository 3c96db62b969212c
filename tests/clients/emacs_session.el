;;; emacs_session.el --- What a person does in Emacs, step by step  -*- lexical-binding: t; -*-

;; In batch each question reads one line of standard input, so the answers are the test's stdin, in this order:
;; the intent, the quick fix, and the two questions of the gate.

(package-initialize)
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

(defun agent-writes (path)
  "What the gate answers to an agent that writes PATH; the person is asked."
  (jsonrpc-request (eglot-current-server) :workspace/executeCommand
                   (list :command "intent.writeToFile" :arguments (vector (list :path path :content "written\n")))
                   :timeout 60))

(find-file "docs/design.md")
(apply #'eglot (eglot--guess-contact))
(wait "the server" (lambda () (and (eglot-current-server) (eglot-managed-p))))
(say "Emacs %s" emacs-version)

(call-interactively #'intentls-select)
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

(let ((refused (agent-writes "docs/rejected.md")))
  (expect (plist-get refused :code) "SCOPE_VIOLATION"))
(let ((approved (agent-writes "docs/approved.md")))
  (expect (plist-get approved :status) "ok"))
(let ((hers '(:contributor (:type "ai" :model_id "anthropic/claude-opus-4-5" :on_behalf_of "Ada")))
      (bens '(:contributor (:type "human" :name "Ben\n" :attested_by "Ada"))))
  (expect (intentls--who (list hers bens)) "claude-opus-4-5 for Ada, Ben  (attested)"))
(say "answered both ways")

(condition-case refusal
    (progn (intentls-select "INT-003") (error "A closed intent was selected"))
  (user-error (expect (error-message-string refusal) "INT-003")))

(intentls-clear)
(eglot-shutdown (eglot-current-server))
(say "PASS")
