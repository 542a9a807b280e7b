/** The arguments of a tool call, after owner keys were overwritten and the schema was checked. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** The arguments that a schema lets through: of a Standard Schema its output, of a literal JSON Schema its properties. */
export type ArgumentsOf<Parameters> = Parameters extends {
  readonly '~standard': { readonly types?: { readonly output: infer Output } | undefined };
}
  ? unknown extends Output
    ? ToolArguments
    : Output
  : Parameters extends { readonly type: 'object'; readonly properties: object }
    ? ValueOf<Parameters>
    : ToolArguments;

/** The values of a literal JSON Schema; `unknown` where its keywords say more than this reads. */
type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly type: 'object'; readonly properties: infer Properties }
    ? { readonly [Key in RequiredKeys<Schema, Properties>]: ValueOf<Properties[Key]> } & {
        readonly [Key in Exclude<keyof Properties, RequiredKeys<Schema, Properties>>]?: ValueOf<
          Properties[Key]
        >;
      }
    : Schema extends { readonly type: 'array'; readonly items: infer Items }
      ? readonly ValueOf<Items>[]
      : Schema extends { readonly type: infer Type extends keyof Scalars }
        ? Scalars[Type]
        : unknown;

interface Scalars {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

type RequiredKeys<Schema, Properties> = Schema extends { readonly required: readonly (infer Key)[] }
  ? Extract<keyof Properties, Key>
  : never;
