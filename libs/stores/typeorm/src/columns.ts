import type { EntitySchemaColumnOptions } from 'typeorm';

type ColumnsOf<Row> = Readonly<Record<keyof Row, EntitySchemaColumnOptions>>;

/** Columns under the names of their properties in snake case: `ruleId` is `rule_id`. */
export function columnsOf<Row>(columns: ColumnsOf<Row>): ColumnsOf<Row> {
  const entries = Object.entries<EntitySchemaColumnOptions>(columns);
  return Object.fromEntries(
    entries.map(([property, column]) => [property, { name: snakeCase(property), ...column }]),
  ) as ColumnsOf<Row>;
}

export function nullable(column: EntitySchemaColumnOptions): EntitySchemaColumnOptions {
  return { ...column, nullable: true };
}

export function primary(column: EntitySchemaColumnOptions): EntitySchemaColumnOptions {
  return { ...column, primary: true };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
