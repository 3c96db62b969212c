;;; intentls-eglot.el --- Every edit answers to an intent, through eglot  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; Put this folder on `load-path', (require 'intentls-eglot), and in a file of one of `intentls-modes':
;;
;;   M-x eglot               start the server
;;   M-x intentls-start      the same in a buffer of any other mode, instead of another server
;;   M-x intentls-select     select an intent
;;   M-x eglot-code-actions  on a warning: widen the scope, or select another intent
;;   M-x intentls-answer     answer an agent that asks
;;   M-x intentls-trace      what happened to this file
;;   M-x intentls-clear      clear the active intent
;;
;; The mode line shows the active intent and how many agents wait for an answer.

;;; Code:

(require 'diff)
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

(defcustom intentls-fallback-modes '(python-mode python-ts-mode)
  "Major modes whose buffers intentls serves where no other server is installed.
Set it before this file is loaded."
  :type '(repeat symbol))

(defcustom intentls-current-line t
  "Whether the end of the current line shows who wrote it."
  :type 'boolean)

;; The server

(defclass intentls-server (eglot-lsp-server)
  ((roots :initform nil :documentation "Its roots, as it told last.")
   (questions :initform nil :documentation "The open questions, oldest first.")
   (waits :initform nil :documentation "Whether Emacs waits for a command."))
  :documentation "A running intentls.")

(defun intentls--contact ()
  "How eglot starts the server."
  (list 'intentls-server intentls-program "serve" :initializationOptions '(:states t :questions t)))

(defun intentls--contact-or-fallback (interactive &rest project)
  "How eglot starts the mode's own server if it is installed, else ours.
INTERACTIVE and PROJECT are what eglot gives to a function that says so."
  (let* ((modes (lambda (entry) (seq-filter #'symbolp (flatten-tree (list (car entry))))))
         (entry (seq-find (lambda (entry)
                            (and (not (eq (cdr entry) #'intentls--contact-or-fallback))
                                 (apply #'provided-mode-derived-p major-mode (funcall modes entry))))
                          eglot-server-programs))
         (contact (cdr entry))
         (contact (if (functionp contact)
                      ;; without INTERACTIVE it is an error that none is installed
                      (ignore-errors
                        (if (eql 1 (cdr (func-arity contact))) (funcall contact interactive)
                          (apply contact interactive project)))
                    contact)))
    (if (and (stringp (car-safe contact)) (not (executable-find (car contact) t)))
        (intentls--contact)
      (or contact (intentls--contact)))))

(add-to-list 'eglot-server-programs (cons intentls-fallback-modes #'intentls--contact-or-fallback))
(add-to-list 'eglot-server-programs (cons intentls-modes (intentls--contact)))

;;;###autoload
(defun intentls-start ()
  "Let intentls serve this buffer, whatever its mode.
eglot runs one server a buffer: another one is replaced, after a question."
  (interactive)
  (let ((eglot-server-programs (list (cons major-mode (intentls--contact)))))
    (call-interactively #'eglot)))

(defun intentls--server ()
  "The server of this buffer."
  (let ((server (eglot-current-server)))
    (if (cl-typep server 'intentls-server) server
      (user-error "intentls does not serve this buffer: M-x eglot, or M-x intentls-start"))))

(defun intentls--run (command &rest arguments)
  "Run COMMAND with ARGUMENTS, a property list, and return its answer.
A refusal is signalled as a `user-error'."
  (let* ((server (intentls--server))
         (call (append (list :command command) (and arguments (list :arguments (vector arguments)))))
         (answer (unwind-protect
                     (progn
                       (setf (slot-value server 'waits) t)
                       ;; A refusal may be put to you, so that the answer waits for yours.
                       (jsonrpc-request server :workspace/executeCommand call :timeout 300))
                   (setf (slot-value server 'waits) nil))))
    (if (equal (plist-get answer :status) "error")
        (user-error "%s" (plist-get answer :error))
      answer)))

(defun intentls--plain (text)
  "TEXT on one line; it may be another program's."
  (replace-regexp-in-string "[[:cntrl:]]+" " " text))

;; What holds here, in the mode line

(cl-defmethod eglot-handle-notification ((server intentls-server) (_method (eql 'intentls/stateChanged))
                                         &key roots &allow-other-keys)
  "SERVER tells what holds for its ROOTS."
  (setf (slot-value server 'roots) roots)
  (force-mode-line-update t))

(cl-defmethod eglot-handle-notification ((server intentls-server) (_method (eql 'intentls/questions)) &key questions)
  "SERVER tells which QUESTIONS are open."
  (let ((before (mapcar (lambda (each) (plist-get each :id)) (slot-value server 'questions))))
    (setf (slot-value server 'questions) (append questions nil))
    (force-mode-line-update t)
    (seq-do (lambda (each)
              (cond
               ((member (plist-get each :id) before))
               ;; Emacs waits for this answer: ask at once, when this message is done with
               ((and (eq (plist-get each :own) t) (slot-value server 'waits))
                (run-at-time 0 nil #'intentls--answer server each))
               (t
                (message "%s  (M-x intentls-answer)" (intentls--plain (plist-get each :text))))))
            questions)))

(defun intentls--root (server)
  "The state of the deepest root of SERVER around this buffer's file.
Where none is, of the first root."
  (let* ((roots (append (slot-value server 'roots) nil))
         (file (expand-file-name (or buffer-file-name default-directory)))
         (around (seq-filter (lambda (each) (string-prefix-p (file-name-as-directory (plist-get each :root)) file))
                             roots)))
    (or (car (seq-sort-by (lambda (each) (length (plist-get each :root))) #'> around)) (car roots))))

(defun intentls--state-text (root)
  "The state of ROOT in a few words; nil is a server that has told nothing yet."
  (let ((id (plist-get root :intent_id)))
    (pcase (plist-get root :state)
      ('nil "intents are loading")
      ("active" id)
      ("unusable" (concat id " (unusable)"))
      ("idle" "no intent")
      ("broken" (if (eq (plist-get root :blocked) t) "agents blocked" "intents unreadable"))
      ("undeclared" "no intents")
      ("other_branch" "no intents on this branch"))))

(defun intentls--mode-line ()
  "The state of this buffer's root, and how many questions are open."
  (let ((server (eglot-current-server)))
    (when (cl-typep server 'intentls-server)
      (let* ((root (intentls--root server))
             (count (length (slot-value server 'questions)))
             (face (if (member (plist-get root :state) '("broken" "unusable")) 'error 'mode-line-emphasis))
             (texts (delq nil (list (intentls--state-text root)
                                    (and (> count 0) (format "%d question%s" count (if (= count 1) "" "s")))))))
        (when texts
          (propertize (concat " [" (replace-regexp-in-string "%" "%%" (intentls--plain (string-join texts ", "))) "]")
                      'face face 'help-echo (plist-get root :text)))))))

(add-to-list 'mode-line-misc-info '(intentls-mode (:eval (intentls--mode-line))))

;; Who wrote the current line, at its end

(defvar intentls-mode)
(defvar-local intentls--line-author nil "The overlay that shows it.")
(defvar-local intentls--line nil "The beginning of the line that was asked about last.")
(defvar intentls--timer nil "Waits until the cursor rests.")

(defun intentls--hide-line-author ()
  "Show no author."
  (when intentls--line-author (delete-overlay intentls--line-author))
  (setq intentls--line-author nil intentls--line nil))

(defun intentls--show-line-author (author)
  "Show AUTHOR, an answer of the server, at the end of the current line."
  (setq intentls--line-author (make-overlay (line-end-position) (line-end-position)))
  (overlay-put intentls--line-author 'after-string
               ;; `cursor': it stays at the end of the text and not behind ours
               (propertize (concat "   " (intentls--plain (plist-get author :text)))
                           'face '(shadow italic) 'cursor t)))

(defun intentls--ask-line-author ()
  "Ask who wrote the current line, and show it unless the cursor has gone on."
  (let ((line (line-beginning-position)) (tick (buffer-chars-modified-tick)) (buffer (current-buffer)))
    (unless (eql line intentls--line)
      (intentls--hide-line-author)
      (setq intentls--line line)
      (jsonrpc-async-request
       (intentls--server) :intentls/lineAuthor
       (list :textDocument (eglot--TextDocumentIdentifier) :line (1- (line-number-at-pos nil t)))
       :success-fn
       (lambda (author)
         (when (buffer-live-p buffer)
           (with-current-buffer buffer
             (when (and author (eql intentls--line line) (= tick (buffer-chars-modified-tick)))
               (intentls--show-line-author author)))))
       :error-fn #'ignore :timeout-fn #'ignore))))

(defun intentls--cursor-rests (buffer)
  "The cursor rests in BUFFER."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (when (and intentls-mode intentls-current-line) (intentls--ask-line-author)))))

(defun intentls--follow-cursor ()
  "Hide the author of the line that was left, and ask once the cursor rests."
  (unless (and intentls--line (= intentls--line (line-beginning-position))
               (not (buffer-modified-p)))
    (intentls--hide-line-author))
  (when intentls--timer (cancel-timer intentls--timer))
  (setq intentls--timer (run-with-idle-timer 0.3 nil #'intentls--cursor-rests (current-buffer))))

(define-minor-mode intentls-mode
  "The state in the mode line, and who wrote the current line at its end.
On where intentls serves a buffer."
  :lighter nil
  (intentls--hide-line-author)
  (if intentls-mode
      (progn (add-hook 'post-command-hook #'intentls--follow-cursor nil t)
             (add-hook 'after-save-hook #'intentls--hide-line-author nil t))
    (remove-hook 'post-command-hook #'intentls--follow-cursor t)
    (remove-hook 'after-save-hook #'intentls--hide-line-author t)))

(defun intentls--attend ()
  "Switch `intentls-mode' on where our server serves this buffer, else off."
  (intentls-mode (if (and (eglot-managed-p) (cl-typep (eglot-current-server) 'intentls-server)) 1 -1)))

(add-hook 'eglot-managed-mode-hook #'intentls--attend)

;; Intents

(defun intentls--read-intent ()
  "Ask for one of the open intents, showing status, name and scope.
Where several roots declare intents, the root as well.  Return (ID ROOT)."
  (let* ((intents (seq-filter (lambda (each) (eq (plist-get each :open) t))
                              (plist-get (intentls--run "intent.listIntents") :intents)))
         (label (lambda (each)
                  (let ((id (plist-get each :id)) (root (plist-get each :root)))
                    (if root (format "%s (%s)" id (abbreviate-file-name root)) id))))
         (by-label (mapcar (lambda (each) (cons (funcall label each) each)) intents))
         (completion-extra-properties
          (list :annotation-function
                (lambda (label)
                  (let ((each (cdr (assoc label by-label))))
                    (format "  %-12s %s  (%s)" (plist-get each :status) (plist-get each :name)
                            (string-join (plist-get each :owned_scope) " ")))))))
    (unless by-label (user-error "No open intent in .orchestration/active_intents.yaml"))
    (let ((intent (cdr (assoc (completing-read "Work on: " by-label nil t) by-label))))
      (list (plist-get intent :id) (plist-get intent :root)))))

;;;###autoload
(defun intentls-select (intent &optional root)
  "Select INTENT, an id; ROOT is the folder that declares it, if several do."
  (interactive (intentls--read-intent))
  (let ((answer (apply #'intentls--run "intent.selectActiveIntent" :intent_id intent
                       (and root (list :root root)))))
    ;; warnings say who works on it on other machines
    (message "%s is selected%s" intent
             (mapconcat (lambda (each) (concat ".  " (intentls--plain each))) (plist-get answer :warnings) ""))))

;;;###autoload
(defun intentls-clear ()
  "Clear the active intent."
  (interactive)
  (intentls--run "intent.clearActiveIntent")
  (message "No intent is selected"))

;; Questions of agents

(defun intentls--read-question (server)
  "Ask which of the open questions of SERVER is meant, if there are several."
  (let ((by-text (mapcar (lambda (each)
                           (cons (format "%s: %s" (plist-get each :id) (intentls--plain (plist-get each :text))) each))
                         (slot-value server 'questions))))
    (cond ((null by-text) (user-error "No agent waits for an answer"))
          ((null (cdr by-text)) (cdar by-text))
          (t (cdr (assoc (completing-read "Which question: " by-text nil t) by-text))))))

(defun intentls--answers (question)
  "What can be done about QUESTION: an alist of titles and actions."
  (append
   (mapcar (lambda (action)
             (cons (pcase action
                     ("Approve" "Allow once")
                     ("Expand scope" (format "Add to %s's scope" (plist-get question :intent_id)))
                     (_ action))
                   action))
           (plist-get question :actions))
   (unless (seq-empty-p (plist-get question :files)) '(("Show the change" . show)))))

(defun intentls--show-change (server question)
  "Show what QUESTION of SERVER is about, as a diff for each file."
  (seq-do
   (lambda (file)
     (let* ((path (plist-get file :path))
            (texts (jsonrpc-request server :intentls/questionContents (list :id (plist-get question :id) :path path)))
            (sides (mapcar (lambda (side)
                             (with-current-buffer (generate-new-buffer (format " *%s %s*" path side))
                               (insert (or (plist-get texts side) ""))
                               (current-buffer)))
                           '(:before :after)))
            (buffer (get-buffer-create (format "*change of %s*" path))))
       (unwind-protect (display-buffer (diff-no-select (car sides) (cadr sides) nil t buffer))
         (mapc #'kill-buffer sides))))
   (plist-get question :files)))

(defun intentls--answer (server question)
  "Ask for the answer to QUESTION of SERVER, and send it."
  (let* ((answers (intentls--answers question))
         (reason (plist-get question :reason))
         (prompt (intentls--plain (concat (plist-get question :text) (and reason (format " \"%s\"" reason)) " ")))
         action)
    (while (not (stringp (setq action (cdr (assoc (completing-read prompt answers nil t) answers)))))
      (intentls--show-change server question))
    (let ((answer (jsonrpc-request server :intentls/answerQuestion
                                   (list :id (plist-get question :id) :action action))))
      (if (equal (plist-get answer :status) "error")
          (user-error "%s" (plist-get answer :message))
        (message "Answered: %s" (car (rassoc action answers)))))))

;;;###autoload
(defun intentls-answer ()
  "Answer an agent: allow the change once, widen the scope, or reject it."
  (interactive)
  (let ((server (intentls--server)))
    (intentls--answer server (intentls--read-question server))))

;; The history of a file

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
