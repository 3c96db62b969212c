/** A line of the ledger, as far as this extension shows it. The server passes such lines on as they are. */

export interface Conversation {
  contributor?: { type: string; model_id?: string; name?: string; on_behalf_of?: string; attested_by?: string };
  ranges?: { start_line: number; end_line: number }[];
  /** The definitions that were changed, by qualified name. */
  symbols?: string[];
}

/** What a record says of one file. */
export interface FileEntry {
  path: string;
  old_path?: string;
  change: string;
  conversations?: Conversation[];
}

export interface LedgerRecord {
  id: string;
  timestamp: string;
  intent_id: string;
  tool_name: string;
  mutation_class?: string;
  success: boolean;
  error?: string;
  code?: string;
  scope_validation?: 'PASS' | 'FAIL' | 'EXEMPT';
  override?: { by: string; action: string };
  files: FileEntry[];
}
