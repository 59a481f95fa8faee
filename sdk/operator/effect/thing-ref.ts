/** Names a thing of one object. */
export interface ThingRef {
  /** The name of its effect. */
  readonly name: string
  /** Empty for the one thing of an effect without keys. */
  readonly key: string
}

/** Formats a thing for messages, and for the annotation that names it: `bucket`, `record/a.example.com`. */
export function formatThing({ name, key }: ThingRef): string {
  return key === '' ? name : `${name}/${key}`
}
