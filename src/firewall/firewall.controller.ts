import { Controller } from '@nestjs/common';
import type { FirewallListData } from '../../libs/contracts/src/api/responses.js';
import { FirewallStore } from '../../libs/contracts/src/firewall.js';
import { UntrustedQuery } from '../http/parameters.js';
import { Serves } from '../http/serves.decorator.js';
import { presentRejections } from './firewall.presenter.js';
import { readFirewallQuery, type FirewallQuery } from './firewall.query.js';

@Controller()
export class FirewallController {
  constructor(private readonly firewall: FirewallStore) {}

  @Serves('firewall.index')
  async index(@UntrustedQuery(readFirewallQuery) { filter, page }: FirewallQuery): Promise<FirewallListData> {
    return presentRejections(await this.firewall.list(filter, page));
  }
}
