/**
 * A cause of a refusal without the difference of two objects. An API server appends the difference to some causes after
 * a line break; it has values of the objects, such as those of environment variables.
 */
export function withoutDifference(cause: string): string {
  const end = cause.indexOf('\n')
  return end < 0 ? cause : cause.slice(0, end)
}

/** The message of a refusal without the differences of objects in its causes. */
export function withoutDifferences(
  message: string,
  causes: readonly { readonly message?: string }[] = [],
): string {
  return causes
    .flatMap(({ message: cause = '' }) => (cause.includes('\n') ? [cause] : []))
    .reduce((text, cause) => text.replaceAll(cause, () => withoutDifference(cause)), message)
}
