/** The result of a rewriter for a member to remove. */
export const dropped = Symbol('dropped')

type JsonObject = Readonly<Record<string, unknown>>

/** The object with its members rewritten; the same object if nothing changes. */
export function rewriteMembers(
  object: JsonObject,
  rewrite: (name: string, member: unknown) => unknown,
): JsonObject {
  let copy: Record<string, unknown> | undefined
  for (const name of Object.keys(object)) {
    const member = object[name]
    const next = rewrite(name, member)
    if (next === member) continue
    copy ??= { ...object }
    if (next === dropped) delete copy[name]
    else copy[name] = next
  }
  return copy ?? object
}

/** The list with its elements rewritten; the same list if nothing changes. */
export function rewriteElements(
  list: readonly unknown[],
  rewrite: (element: unknown, index: number) => unknown,
): readonly unknown[] {
  let copy: unknown[] | undefined
  for (const [index, element] of list.entries()) {
    const next = rewrite(element, index)
    if (next === element) continue
    copy ??= [...list]
    copy[index] = next
  }
  return copy ?? list
}
