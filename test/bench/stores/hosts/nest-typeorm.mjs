// The usual way: a Nest controller over a TypeORM repository with its relations.
import 'reflect-metadata';
import { Controller, Get, Inject } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource, EntitySchema } from 'typeorm';
import { bodyOf } from './page-entries.mjs';
import { tell } from './serve.mjs';

const text = { type: 'text' };
const Principal = new EntitySchema({
  name: 'Principal',
  tableName: 'guardrails_principals',
  columns: { id: { type: 'bigint', primary: true }, name: text },
});
const Content = new EntitySchema({
  name: 'Content',
  tableName: 'guardrails_audit_content',
  columns: {
    evidence_id: { type: 'bigint', primary: true },
    storage: text,
    prompt: text,
    matched_text: text,
  },
});
const Evidence = new EntitySchema({
  name: 'Evidence',
  tableName: 'guardrails_audit_evidence',
  columns: {
    id: { type: 'bigint', primary: true },
    occurred_at: { type: 'timestamptz' },
    ...Object.fromEntries(
      [
        'control',
        'outcome',
        'mode',
        'origin',
        'rule_id',
        'tool',
        'application',
        'ruleset_version',
        'approval_step',
      ].map((name) => [name, text]),
    ),
    prompt_length: { type: 'bigint' },
    errored: { type: 'boolean' },
  },
  relations: {
    principal: { type: 'many-to-one', target: 'Principal', joinColumn: { name: 'principal_ref' } },
    content: {
      type: 'one-to-one',
      target: 'Content',
      joinColumn: { name: 'id', referencedColumnName: 'evidence_id' },
    },
  },
});

const dataSource = new DataSource({
  type: 'postgres',
  url: process.argv[2],
  entities: [Principal, Content, Evidence],
  installExtensions: false,
});
await dataSource.initialize();

class AuditController {
  constructor(evidence) {
    this.evidence = evidence;
  }

  async list() {
    const rows = await this.evidence.find({
      where: { control: 'input_screen' },
      relations: { content: true, principal: true },
      order: { id: 'DESC' },
      take: 51,
    });
    const flat = rows.map((row) => ({
      ...row,
      prompt: row.content.prompt,
      principal_id: row.principal?.name ?? null,
    }));
    return bodyOf(flat, 50);
  }
}
Inject('Evidence')(AuditController, undefined, 0);
Get()(AuditController.prototype, 'list', Object.getOwnPropertyDescriptor(AuditController.prototype, 'list'));
Controller('guardrails/api/audit')(AuditController);

/** A dynamic module needs a class to be known by; any will do. */
function AuditModule() {}

const host = {
  module: AuditModule,
  controllers: [AuditController],
  providers: [{ provide: 'Evidence', useValue: dataSource.getRepository('Evidence') }],
};

const application = await NestFactory.create(host, { logger: ['error'] });
await application.init();
tell(application.getHttpServer());
