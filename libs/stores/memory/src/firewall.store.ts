import { FirewallStore, type Rejection, type RejectionFilter } from '#contracts/firewall.js';
import type { Page, PageRequest } from '#contracts/page.js';
import { isEqual, isWithin, literalSearch } from './list-filters.js';
import { copyOf, type MemoryTables } from './memory-tables.js';

export class MemoryFirewallStore extends FirewallStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async list(filter: RejectionFilter, request: PageRequest): Promise<Page<Rejection>> {
    return copyOf(this.tables.rejections.page(request, rejectionMatcher(filter)));
  }

  override async find(id: number): Promise<Rejection | null> {
    return copyOf(this.tables.rejections.find(id) ?? null);
  }
}

/** Copies the filter because stored texts are scrubbed. */
function rejectionMatcher(filter: RejectionFilter): (rejection: Rejection) => boolean {
  const sought = copyOf(filter);
  const isFound = sought.q === undefined ? () => true : literalSearch(sought.q);
  return (rejection) =>
    isEqual(sought.principalId, rejection.principalId) &&
    isEqual(sought.application, rejection.application) &&
    isEqual(sought.tool, rejection.tool) &&
    isWithin(sought, rejection.occurredAt) &&
    isFound(rejection.tool);
}
