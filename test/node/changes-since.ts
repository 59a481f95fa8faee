import type { Loose, RealNode } from './real-node.js'

/** A change of an object. */
export interface Change {
  readonly type: string
  readonly object: Loose
}

/** The revision of a list, by its path. The list that kubectl prints has none. */
export async function revisionOf(node: RealNode, path: string): Promise<string> {
  const list: Loose = JSON.parse(await node.read(path))
  return list.metadata.resourceVersion
}

/** The changes of a list after a revision, as the API server reports them within some seconds. */
export async function changesSince(
  node: RealNode,
  path: string,
  { revision, seconds = 2 }: { revision: string; seconds?: number },
): Promise<Change[]> {
  const watch = `${path}?watch=1&resourceVersion=${revision}&timeoutSeconds=${seconds}`
  const lines = (await node.read(watch)).split('\n').filter(Boolean)
  const changes = lines.map((line): Change => JSON.parse(line))
  const failed = changes.find(({ type }) => type === 'ERROR')
  if (failed) throw new Error(`the watch of ${path} failed: ${JSON.stringify(failed.object)}`)
  return changes
}
