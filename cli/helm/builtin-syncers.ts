/**
 * vcluster's own syncers that are enabled by default, by resource, with the names that disable them. They must be off
 * for kinds that a plugin copies, because both would write the same copies.
 *
 * `chart/values.yaml` @ vcluster v0.36.1 (`sync.toHost`), `cmd/vcluster/context/controllers.go` @ v0.15.7 (`--sync`).
 */
export const builtinSyncers: ReadonlyMap<string, { since020: string; before020: string }> = new Map(
  [
    ['configmaps', 'configMaps'],
    ['secrets', 'secrets'],
    ['services', 'services'],
    ['endpoints', 'endpoints'],
    ['endpointslices.discovery.k8s.io', 'endpointSlices'],
    ['persistentvolumeclaims', 'persistentVolumeClaims'],
    ['pods', 'pods'],
  ].map(([resource = '', key = '']) => [resource, { since020: key, before020: key.toLowerCase() }]),
)
