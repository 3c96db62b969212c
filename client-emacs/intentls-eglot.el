;;; intentls-eglot.el --- Every edit answers to an intent, through eglot  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; Put this folder on `load-path', (require 'intentls-eglot), and in a file of one of `intentls-modes':
;;
;;   M-x eglot               start the server
;;   M-x intentls-select     select an intent
;;   M-x eglot-code-actions  on a warning: widen the scope, or select another intent
;;   M-x intentls-trace      what happened to this file
;;   M-x intentls-clear      clear the active intent

;;; Code:

(require 'eglot)
(require 'subr-x)
(require 'tabulated-list)

(defgroup intentls nil "Every edit answers to an intent." :group 'eglot)

(defcustom intentls-program "intentls"
  "The program."
  :type 'string)

(defcustom intentls-modes '(text-mode markdown-mode yaml-mode)
  "Major modes whose buffers intentls serves.
eglot runs one server a buffer, so name modes that have no server of their own.
Set it before this file is loaded."
  :type '(repeat symbol))

(add-to-list 'eglot-server-programs
             ;; eglot answers questions, but does not announce that it can.
             (cons intentls-modes (list intentls-program "serve" :initializationOptions '(:interactive t))))

(defun intentls--run (command &rest arguments)
  "Run COMMAND with ARGUMENTS, a property list, and return its answer.
A refusal is signalled as a `user-error'."
  (let* ((server (or (eglot-current-server) (user-error "No server here: M-x eglot")))
         (call (append (list :command command) (and arguments (list :arguments (vector arguments)))))
         ;; A refusal may be put to you, so that the answer waits for yours.
         (answer (jsonrpc-request server :workspace/executeCommand call :timeout 300)))
    (if (equal (plist-get answer :status) "error")
        (user-error "%s" (plist-get answer :error))
      answer)))

(defun intentls--read-intent ()
  "Ask for one of the open intents, showing status, name and scope."
  (let* ((intents (seq-filter (lambda (each) (eq (plist-get each :open) t))
                              (plist-get (intentls--run "intent.listIntents") :intents)))
         (by-id (mapcar (lambda (each) (cons (plist-get each :id) each)) intents))
         (completion-extra-properties
          (list :annotation-function
                (lambda (id)
                  (let ((each (cdr (assoc id by-id))))
                    (format "  %-12s %s  (%s)" (plist-get each :status) (plist-get each :name)
                            (string-join (plist-get each :owned_scope) " ")))))))
    (unless by-id (user-error "No open intent in .orchestration/active_intents.yaml"))
    (completing-read "Work on: " by-id nil t)))

;;;###autoload
(defun intentls-select (intent)
  "Select INTENT, an id."
  (interactive (list (intentls--read-intent)))
  (intentls--run "intent.selectActiveIntent" :intent_id intent)
  (message "%s is selected" intent))

;;;###autoload
(defun intentls-clear ()
  "Clear the active intent."
  (interactive)
  (intentls--run "intent.clearActiveIntent")
  (message "No intent is selected"))

(defun intentls--author (by)
  "The contributor BY in words, such as \"Ada\" or \"claude-opus-4-5 for Ada\"."
  (let* ((kind (plist-get by :type))
         (name (and (equal kind "human") (plist-get by :name)))
         (person (and (equal kind "ai") (plist-get by :on_behalf_of)))
         (model (car (last (split-string (or (plist-get by :model_id) kind) "/")))))
    (replace-regexp-in-string ; a record may be another program's
     "[[:cntrl:]]+" " "
     (concat (or name model) (and person (concat " for " person)) (and (plist-get by :attested_by) " (attested)")))))

(defun intentls--who (conversations)
  "The contributors of CONVERSATIONS, in words."
  (string-join
   (delete-dups (mapcar (lambda (each) (intentls--author (plist-get each :contributor))) conversations))
   ", "))

(defun intentls--lines (conversations)
  "The lines of CONVERSATIONS, such as \"3-6, 9\"."
  (mapconcat
   (lambda (range)
     (let ((first (plist-get range :start_line)) (last (plist-get range :end_line)))
       (if (= first last) (format "%d" first) (format "%d-%d" first last))))
   (seq-mapcat (lambda (each) (plist-get each :ranges)) conversations)
   ", "))

(defun intentls--row (entry path)
  "The row of ENTRY, a record, as far as it is about the file PATH."
  (let* ((files (plist-get entry :files))
         (file (or (seq-find (lambda (each) (string-suffix-p (concat "/" (plist-get each :path)) path)) files)
                   (seq-elt files 0)))
         (conversations (plist-get file :conversations))
         (done (eq (plist-get entry :success) t)))
    (list (plist-get entry :id)
          (vector (replace-regexp-in-string "T\\([0-9:]+\\):.*" " \\1Z" (plist-get entry :timestamp))
                  (plist-get entry :intent_id)
                  (intentls--who conversations)
                  (if done (plist-get entry :mutation_class) (format "refused: %s" (plist-get entry :code)))
                  (intentls--lines conversations)))))

(define-derived-mode intentls-trace-mode tabulated-list-mode "Trace"
  "What happened to a file, newest first.
Lines are numbered as they were at that moment."
  (setq tabulated-list-format
        [("Time (UTC)" 18 t) ("Intent" 12 t) ("Who" 28 t) ("What" 28 t) ("Lines" 0 nil)])
  (tabulated-list-init-header))

;;;###autoload
(defun intentls-trace ()
  "Show what happened to this file: when, under which intent, who, which lines."
  (interactive)
  (let* ((path (or buffer-file-name (user-error "This buffer has no file")))
         (entries (plist-get (intentls--run "intent.queryTrace" :path path :limit 200) :entries)))
    (if (seq-empty-p entries)
        (message "Nothing is recorded of %s" (file-name-nondirectory path))
      (let ((buffer (get-buffer-create (format "*trace of %s*" (file-name-nondirectory path)))))
        (with-current-buffer buffer
          (intentls-trace-mode)
          (setq tabulated-list-entries (mapcar (lambda (each) (intentls--row each path)) entries))
          (tabulated-list-print))
        (pop-to-buffer buffer)))))

(provide 'intentls-eglot)
;;; intentls-eglot.el ends here
