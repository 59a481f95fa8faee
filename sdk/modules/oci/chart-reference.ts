/** A chart in a registry, as in `oci://registry.example/charts/web:1.2.3`. */
export interface ChartReference {
  /** The host of the registry, with its port. */
  readonly host: string
  /** The repository, such as `charts/web`. */
  readonly path: string
  readonly tag: string | undefined
  /** The digest of its manifest, as `sha256:<hex>`. */
  readonly digest: string | undefined
}

const reference =
  /^oci:\/\/([a-zA-Z0-9.-]+(?::\d+)?|\[[0-9a-f:]+\](?::\d+)?)\/([a-z0-9]+(?:(?:\.|_|__|-+|\/)[a-z0-9]+)*)(?::(\w[\w.+-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/

/** Reads the `oci:` URL of a chart; undefined for another text. A tag has `_` in place of the `+` of a version. */
export function readReference(text: string): ChartReference | undefined {
  const [, host, path, tag, digest] = reference.exec(text) ?? []
  return host === undefined || path === undefined
    ? undefined
    : { host, path, tag: tag?.replaceAll('+', '_'), digest }
}
