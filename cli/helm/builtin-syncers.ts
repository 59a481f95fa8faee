/**
 * vcluster's own syncers that are on by default, by resource, and what switches each off. A plugin that copies the
 * same kind must be alone with it: both would write the same copies.
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
