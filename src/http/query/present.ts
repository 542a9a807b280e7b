type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Leaves out what is undefined: an absent filter is an absent key. */
export function present<T extends object>(filter: T): Present<T> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as Present<T>;
}
