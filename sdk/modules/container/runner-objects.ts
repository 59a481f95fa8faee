// The objects of a container that is the manager of a Module: a Deployment under the restricted Pod Security Standard,
// with its Secret, its service account, its roles and its Service.
import type { Deployment, Secret, Service, ServiceAccount } from '../../engine/kube/builtin.js'
import type { Role, RoleBinding } from '../../engine/kube/builtin-policies.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { ModuleIdentity } from '../manager/program-runner.js'
import type { ContainerSpec } from './container-spec.js'
import type { ContainersOptions } from './containers-options.js'

/** The port that a container serves on. */
export const runnerPort = 8080
const portName = 'http'
/** The label of the Pods of a container: the UID of its Module. */
const runnerLabel = 'forkspacer.com/runner'

/** The name of all objects of a container. It contains the UID of the Module, so no Module can choose it. */
export const runnerName = ({ uid }: Pick<ModuleIdentity, 'uid'>): string => `module-runner-${uid}`

/** The parts of a container's objects. */
export interface RunnerParts {
  readonly module: ModuleIdentity
  readonly spec: ContainerSpec
  readonly options: ContainersOptions
  readonly token: string
  /** The checked configuration. */
  readonly config: unknown
  readonly replicas: 0 | 1
}

/** The objects of a container, in the order in which they are applied. */
export function runnerObjects(parts: RunnerParts): KubeObject[] {
  return [
    serviceAccountOf(parts),
    ...rolesOf(parts),
    runnerSecret(parts),
    serviceOf(parts),
    runnerDeployment(parts),
  ]
}

/** The Secret with the token and the configuration. */
export function runnerSecret({ module, options, token, config }: RunnerParts): Secret {
  const data = { token: encoded(token), config: encoded(JSON.stringify(config ?? {})) }
  return { apiVersion: 'v1', kind: 'Secret', metadata: metadataOf({ module, options }), data }
}

const encoded = (text: string) => Buffer.from(text).toString('base64')

type RunnerIds = Pick<RunnerParts, 'module' | 'options'>

const metadataOf = ({ module, options: { namespace } }: RunnerIds) => ({
  name: runnerName(module),
  namespace,
})

function serviceAccountOf(parts: RunnerParts): ServiceAccount {
  const automountServiceAccountToken = false
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    automountServiceAccountToken,
    metadata: metadataOf(parts),
  }
}

/** The roles apply in the namespace of the Module. */
function rolesOf({ module, options, spec }: RunnerParts): (Role | RoleBinding)[] {
  const rules = spec.permissions.flatMap((name) => options.permissions?.[name] ?? [])
  if (rules.length === 0) return []
  const name = runnerName(module)
  const metadata = { name, namespace: module.namespace }
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  const toRule = ({ group, resource, verbs }: (typeof rules)[number]) => ({
    apiGroups: [group],
    resources: [resource],
    verbs: [...verbs],
  })
  return [
    { apiVersion, kind: 'Role', metadata, rules: rules.map(toRule) },
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: options.namespace }],
    },
  ]
}

function serviceOf(parts: RunnerParts): Service {
  const selector = { [runnerLabel]: parts.module.uid }
  const ports = [{ name: portName, port: runnerPort, targetPort: portName, protocol: 'TCP' }]
  return { apiVersion: 'v1', kind: 'Service', metadata: metadataOf(parts), spec: { selector, ports } }
}

/** The Deployment of a container. */
export function runnerDeployment(parts: RunnerParts): Deployment {
  const labels = { [runnerLabel]: parts.module.uid }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(parts),
    spec: {
      replicas: parts.replicas,
      // Two containers of one Module must not work at a time.
      strategy: { type: 'Recreate' },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podOf(parts) },
    },
  }
}

type PodSpec = NonNullable<NonNullable<Deployment['spec']>['template']['spec']>

function podOf(parts: RunnerParts): PodSpec {
  const { module, spec } = parts
  return {
    serviceAccountName: runnerName(module),
    automountServiceAccountToken: spec.permissions.length > 0,
    enableServiceLinks: false,
    ...(spec.imagePullSecrets.length > 0 && {
      imagePullSecrets: spec.imagePullSecrets.map((one) => ({ name: one })),
    }),
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [containerOf(parts)],
    volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '64Mi' } }],
  }
}

function containerOf({ module, spec }: RunnerParts): PodSpec['containers'][number] {
  const fromSecret = (key: string) => ({ valueFrom: { secretKeyRef: { name: runnerName(module), key } } })
  const probe = { httpGet: { path: '/health', port: portName }, periodSeconds: 10, timeoutSeconds: 5 }
  return {
    name: 'manager',
    image: spec.image,
    ports: [{ name: portName, containerPort: runnerPort, protocol: 'TCP' }],
    env: [
      { name: 'PORT', value: String(runnerPort) },
      { name: 'MODULE_TOKEN', ...fromSecret('token') },
      { name: 'MODULE_CONFIG', ...fromSecret('config') },
    ],
    // The kubelet restarts a container that does not answer for a minute.
    livenessProbe: { ...probe, failureThreshold: 6 },
    readinessProbe: { ...probe, failureThreshold: 1 },
    resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '256Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
  }
}
