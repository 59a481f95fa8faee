/** The parts of Pods under the restricted Pod Security Standard that the manifests of all programs share. */

/** The share of the memory limit for the heap; the rest is for buffers and code. */
const heapShare = 0.75
/** The seconds between a program's own deadline and the end of its process. */
const spareSeconds = 5

/** The security context of a Pod. */
export const podSecurity = () => ({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })

/** The security context of a container. */
export const containerSecurity = () => ({
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
})

/**
 * The variables by which a container that starts again knows that the Lease was its own; see
 * sdk/engine/leader/process-identity.ts.
 */
export const leaseIdentity = (container: string) => [
  { name: 'POD_UID', valueFrom: { fieldRef: { fieldPath: 'metadata.uid' } } },
  { name: 'CONTAINER_NAME', value: container },
]

/** The folder for temporary files, where the file system of a container is read-only. */
export const temporaryFiles = {
  volume: { name: 'tmp', emptyDir: { sizeLimit: '512Mi' } },
  mount: { name: 'tmp', mountPath: '/tmp' },
}

/** The probes of a container, at its port of a name. */
export function probes(port = 'probes') {
  const probe = (path: string) => ({ httpGet: { path, port } })
  return {
    livenessProbe: { ...probe('/livez'), initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 5 },
  }
}

/** The resources of a container with a memory limit in MiB. */
export const resourcesOf = (memoryMiB: number) => ({
  requests: { cpu: '10m', memory: '64Mi' },
  limits: { memory: `${memoryMiB}Mi` },
})

/** The value of `NODE_OPTIONS` for a memory limit in MiB. */
export const heapOption = (memoryMiB: number) => `--max-old-space-size=${Math.floor(memoryMiB * heapShare)}`

/** The `terminationGracePeriodSeconds` for a program that stops within a deadline. */
export const gracePeriod = (stopDeadlineMs: number) => Math.ceil(stopDeadlineMs / 1000) + spareSeconds
