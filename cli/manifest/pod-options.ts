import { UsageError } from '../terminal/usage-error.js'

/** Additions of a user to the Pods of a program: members of their spec and of its container; in a chart, tokens. */
export interface PodOptions {
  /** Variables, in addition to those that the program needs. */
  readonly env: readonly unknown[]
  /** Secrets and ConfigMaps whose keys are variables. */
  readonly envFrom: unknown
  readonly imagePullSecrets: unknown
  readonly nodeSelector: unknown
  readonly tolerations: unknown
}

/** The part of a Pod's spec that these functions read. */
export interface ManifestPodSpec {
  readonly containers: readonly PodContainer[]
}

interface PodContainer {
  readonly env: readonly EnvVar[]
}

interface EnvVar {
  readonly name: string
}

/** The spec of a Pod with what a user adds to it. Throws `UsageError` for a variable that the program needs itself. */
export function withPodOptions<P extends ManifestPodSpec>(pod: P, options: PodOptions | undefined): P {
  if (!options) return pod
  const { env, envFrom, ...members } = options
  const containers = pod.containers.map((container) => {
    checkNames(container.env, env)
    return { ...container, env: [...container.env, ...env], ...unlessEmpty({ envFrom }) }
  })
  return { ...pod, ...unlessEmpty(members), containers }
}

function checkNames(ownVariables: readonly EnvVar[], added: readonly unknown[]): void {
  const names = new Set(ownVariables.map(({ name }) => name))
  for (const { name } of added.map((variable): Partial<EnvVar> => Object(variable)))
    if (name !== undefined && names.has(name))
      throw new UsageError(`--env ${name}: the program needs this variable as it is; use another name`)
}

const unlessEmpty = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => Object.keys(Object(value)).length > 0))
