export interface FirewallListData {
  readonly entries: readonly {
    readonly id: number;
    readonly tool: string;
    readonly principal_id: string | null;
    readonly application: string | null;
    readonly violations: Readonly<Record<string, string>>;
    readonly violation_count: number;
    readonly enforced: boolean;
    readonly occurred_at: string;
  }[];
  readonly next_cursor: number | null;
  readonly partial?: true;
}
