import { FirewallStore, type Rejection, type RejectionFilter } from '../../../contracts/src/firewall.js';
import type { Page, PageRequest } from '../../../contracts/src/page.js';
import { copyOf } from './copy.js';
import { rejectionMatcher } from './matching.js';
import type { MemoryTables } from './memory-tables.js';

export class MemoryFirewallStore extends FirewallStore {
  constructor(private readonly tables: MemoryTables) {
    super();
  }

  override async list(filter: RejectionFilter, request: PageRequest): Promise<Page<Rejection>> {
    return copyOf(this.tables.rejections.page(request, rejectionMatcher(filter)));
  }
}
