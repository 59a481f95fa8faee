import type { Pod } from '../../engine/kube/builtin.js'
import { cloneJson } from '../../engine/kube/json.js'

/** The spec of a Pod. */
export type PodSpec = NonNullable<Pod['spec']>
/** A container of a Pod. */
export type PodContainer = PodSpec['containers'][number]

/** The folder in which instances look for sockets of plugins. */
export const socketFolder = '/plugins'
const volumeName = 'plugins'

/**
 * The security context that the restricted Pod Security Standard requires of a container, if the Pod already meets the
 * standard.
 */
const restrictedContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
}

/** A Pod, or the template of a Job's Pods. */
export interface WithPodSpec {
  spec?: PodSpec | undefined
}

/** Options of `plugin.sidecar`: the Pods that get the container. */
export interface SidecarOptions {
  /** The Pods of instances: archive, backups, configuration and metrics are asked there. Default true. */
  instances?: boolean
  /**
   * The Pods of the Jobs that initialize, restore, join and upgrade instances: a restore job, its WAL and the first
   * configuration are asked there. Default false.
   */
  jobs?: boolean
  /**
   * Gives the container the volumes and the environment of Postgres: `PGDATA`, the WAL and tablespaces at the same
   * paths, and its Secrets and sockets. Default whether the plugin has hooks for WAL, backups or restore jobs, whose
   * requests name files of Postgres.
   */
  sharesPostgres?: boolean
}

/** Options of {@link addSidecar}. */
export type AddSidecarOptions = Pick<SidecarOptions, 'sharesPostgres'>

/**
 * Adds a native sidecar (an init container that is restarted) next to Postgres, or replaces the init container of the
 * same name. The sidecar and the container `postgres` get the volume `plugins` at `/plugins`. Pods of Jobs have no
 * container `postgres`; there all containers get the volume. A second call changes nothing.
 *
 * With `sharesPostgres` the container also has the mounts and the environment of Postgres, besides its own.
 *
 * A container without a security context of its own gets one with `allowPrivilegeEscalation: false` and no
 * capabilities. The Pods of the operator meet the restricted Pod Security Standard. Namespaces that enforce the
 * standard would reject a Pod with a container that does not.
 *
 * @example
 * ```ts
 * const plugin = createCnpgPlugin({ name: 'hello.example.org', version: '0.1.0' })
 * plugin.pods({
 *   instance: (_ctx, pod) => addSidecar(pod, { name: 'pauser', image: 'registry.k8s.io/pause:3.10' }),
 * })
 * ```
 */
export function addSidecar(
  pod: WithPodSpec,
  container: PodContainer,
  { sharesPostgres = false }: AddSidecarOptions = {},
): void {
  pod.spec ??= { containers: [] }
  const { spec } = pod
  addVolume(spec)
  const completed = sharesPostgres ? withPostgresMounts(container, mainContainers(spec)[0]) : container
  // A copy: a later hook may edit it, and the container goes into the Pods of every Cluster.
  const native = cloneJson<PodContainer>({
    securityContext: restrictedContext,
    ...completed,
    restartPolicy: 'Always',
  })
  mountPlugins(native)
  spec.initContainers = replaceNamed(spec.initContainers ?? [], native)
  for (const main of mainContainers(spec)) mountPlugins(main)
}

/** The containers that look for sockets of plugins. */
function mainContainers({ containers }: PodSpec): readonly PodContainer[] {
  const postgres = containers.filter(({ name }) => name === 'postgres')
  return postgres.length > 0 ? postgres : containers
}

/**
 * The container with the mounts and variables of Postgres in addition to its own. Its own win for the same path or
 * name.
 */
function withPostgresMounts(container: PodContainer, postgres: PodContainer | undefined): PodContainer {
  const { volumeMounts = [], env = [], envFrom = [] } = container
  const paths = new Set([socketFolder, ...volumeMounts.map(({ mountPath }) => mountPath)])
  const names = new Set(env.map(({ name }) => name))
  const mounts = (postgres?.volumeMounts ?? []).filter(({ mountPath }) => !paths.has(mountPath))
  // A variable may refer to one before it, for example to $(PGDATA).
  const variables = (postgres?.env ?? []).filter(({ name }) => !names.has(name))
  const sources = [...(postgres?.envFrom ?? []), ...envFrom]
  return {
    ...container,
    volumeMounts: [...volumeMounts, ...mounts],
    env: [...variables, ...env],
    ...(sources.length > 0 && { envFrom: sources }),
  }
}

/** Adds the volume for the sockets of plugins, unless the Pod has it. */
function addVolume(spec: PodSpec): void {
  const volumes = spec.volumes ?? []
  if (volumes.some(({ name }) => name === volumeName)) return
  spec.volumes = [...volumes, { name: volumeName, emptyDir: {} }]
}

/** Mounts the volume of sockets at `/plugins`, unless the container has that mount. */
function mountPlugins(container: PodContainer): void {
  const mounts = container.volumeMounts ?? []
  if (mounts.some(({ mountPath }) => mountPath === socketFolder)) return
  container.volumeMounts = [...mounts, { name: volumeName, mountPath: socketFolder }]
}

/** The list with the item in place of the item with the same name, or at the end. */
function replaceNamed(list: readonly PodContainer[], item: PodContainer): PodContainer[] {
  const index = list.findIndex(({ name }) => name === item.name)
  return index === -1 ? [...list, item] : list.with(index, item)
}

/**
 * Sets an environment variable of a container, or replaces the variable of the same name.
 *
 * @example
 * ```ts
 * const container = { name: 'hello', image: 'example.org/hello:1' }
 * setEnv(container, 'LOG_LEVEL', 'debug')
 * ```
 */
export function setEnv(container: PodContainer, name: string, value: string): void {
  const env = container.env ?? []
  const index = env.findIndex((variable) => variable.name === name)
  container.env = index === -1 ? [...env, { name, value }] : env.with(index, { name, value })
}
