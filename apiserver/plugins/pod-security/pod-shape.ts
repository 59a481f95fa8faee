import type { Container, PodSpec } from '../../kinds/pod-spec/spec.js'

/** The part of a security context that both pods and containers have; `core/v1`. */
interface SharedContext {
  readonly runAsNonRoot?: boolean
  readonly runAsUser?: number
  readonly appArmorProfile?: { readonly type?: string }
  readonly seccompProfile?: { readonly type?: string }
  readonly seLinuxOptions?: { readonly type?: string; readonly user?: string; readonly role?: string }
  readonly windowsOptions?: { readonly hostProcess?: boolean }
}

interface PodContext extends SharedContext {
  readonly sysctls?: readonly { readonly name?: string }[]
}

interface ContainerContext extends SharedContext {
  readonly allowPrivilegeEscalation?: boolean
  readonly privileged?: boolean
  readonly procMount?: string
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] }
}

interface Handler {
  readonly httpGet?: { readonly host?: string }
  readonly tcpSocket?: { readonly host?: string }
}

/** The fields of a container that its security depends on. */
export interface CheckedContainer extends Pick<Container, 'name' | 'ports'> {
  readonly securityContext?: ContainerContext
  readonly livenessProbe?: Handler
  readonly readinessProbe?: Handler
  readonly startupProbe?: Handler
  readonly lifecycle?: { readonly postStart?: Handler; readonly preStop?: Handler }
}

/** A pod, or the template of pods, that a check looks at. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>
  readonly spec: Pick<PodSpec, 'volumes' | 'os'> & {
    readonly hostNetwork?: boolean
    readonly hostPID?: boolean
    readonly hostIPC?: boolean
    readonly hostUsers?: boolean
    readonly securityContext?: PodContext
  }
  /** The init containers, the containers and the ephemeral containers. */
  readonly containers: readonly CheckedContainer[]
}

/** A pod from its annotations and its spec. */
export function checkedPod(annotations: Readonly<Record<string, string>>, podSpec: object): CheckedPod {
  const { initContainers = [], containers = [], ephemeralContainers = [], ...spec } = podSpec as Lists
  return { annotations, spec, containers: [...initContainers, ...containers, ...ephemeralContainers] }
}

type Lists = CheckedPod['spec'] &
  Partial<Record<'initContainers' | 'containers' | 'ephemeralContainers', readonly CheckedContainer[]>>
