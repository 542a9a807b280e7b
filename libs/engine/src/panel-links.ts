/** The panel page of an approval. The page only shows it: a link never decides. */
export function approvalLink(panelUrl: string | null, approvalId: number): string | null {
  return panelUrl === null ? null : `${panelUrl}/approvals/${approvalId}`;
}
