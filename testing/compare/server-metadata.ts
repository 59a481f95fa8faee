import type { KubeObject } from '../../sdk/engine/kube/object.js'

const setByServers: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
])

/** Whether an API server sets this member of `metadata`, whatever a client sends. */
export const isServerMetadata = (name: string): boolean => setByServers.has(name)

/** The metadata that a client may create. */
export const withoutServerMetadata = (metadata: KubeObject['metadata']): KubeObject['metadata'] =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => !isServerMetadata(name)))
