/** The finalizer of a controller: the one that its options name, or `<group>/<name>`. */
export function finalizerName(
  { group }: { readonly group: string },
  { name, finalizer }: { readonly name: string; readonly finalizer: string | undefined },
): string {
  return finalizer ?? `${group || 'core'}/${name}`
}
