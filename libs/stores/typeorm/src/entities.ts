import type { EntitySchema } from 'typeorm';
import { approvalEntity } from './approvals/approvals.entities.js';
import { contentEntity, evidenceEntity, principalEntity, writerEntity } from './audit/audit.entities.js';
import { rollupEntities } from './audit/rollup.entities.js';
import type { Dialect } from './dialects/dialect.js';
import { rejectionEntity } from './firewall/firewall.entities.js';
import { deliveryEntity, outboxEntity, outboxStateEntity } from './outbox/outbox.entities.js';
import { outputCountEntity, outputHourEntity } from './output/output.entities.js';
import { retentionEntities } from './retention/retention.entities.js';
import { settingChangeEntity, settingEntity, settingsStateEntity } from './settings/settings.entities.js';
import type { TableNaming } from './tables.js';

export type Entities = ReturnType<typeof entitiesOf>;

/** Every table that the stores read or write. */
export function entitiesOf(dialect: Dialect, naming: TableNaming) {
  return {
    principal: principalEntity(dialect, naming),
    evidence: evidenceEntity(dialect, naming),
    content: contentEntity(dialect, naming),
    writer: writerEntity(dialect, naming),
    ...rollupEntities(dialect, naming),
    rejection: rejectionEntity(dialect, naming),
    outputCount: outputCountEntity(dialect, naming),
    outputHour: outputHourEntity(dialect, naming),
    approval: approvalEntity(dialect, naming),
    setting: settingEntity(dialect, naming),
    settingsState: settingsStateEntity(dialect, naming),
    settingChange: settingChangeEntity(dialect, naming),
    ...retentionEntities(dialect, naming),
    outbox: outboxEntity(dialect, naming),
    outboxState: outboxStateEntity(dialect, naming),
    delivery: deliveryEntity(dialect, naming),
  } as const;
}

/** As a DataSource's `entities` takes them. */
export function entityList(entities: Entities): EntitySchema[] {
  return Object.values(entities) as EntitySchema[];
}
