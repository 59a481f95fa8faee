import type { Case, CaseGroup } from '../case.js'

const core = 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3'
const KEY =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
const MIB = 1024 * 1024

const refuses = (
  name: string,
  resource: string,
  kind: string,
  object: object,
  ...because: string[]
): Case => ({
  name,
  source: core,
  async run({ post, expect }) {
    const [, bare = kind, group] = /^(\w+)\.?(.*)$/.exec(kind) ?? []
    const answer = await post(resource, { metadata: { name: 'a' }, ...object })
    expect.invalid(answer, { kind: bare, name: 'a', because, ...(group ? { group } : {}) })
  },
})

const container = { name: 'c', image: 'i' }

/** What the fields of the kinds that clients write most may say. */
export const validationKinds: CaseGroup = {
  name: 'validation-kinds',
  cases: [
    refuses(
      'a ConfigMap has no key with a slash',
      'configmaps',
      'ConfigMap',
      { data: { 'a/b': 'v' } },
      `data[a/b]: Invalid value: "a/b": ${KEY}`,
    ),
    refuses(
      'a key may not be two dots',
      'configmaps',
      'ConfigMap',
      { data: { '..': 'v' } },
      'data[..]: Invalid value: "..": must not be \'..\'',
    ),
    refuses(
      'a key may not begin with two dots',
      'configmaps',
      'ConfigMap',
      { data: { '..a': 'v' } },
      'data[..a]: Invalid value: "..a": must not start with \'..\'',
    ),
    refuses(
      'a key stands in data or in binaryData',
      'configmaps',
      'ConfigMap',
      { data: { k: 'v' }, binaryData: { k: 'dg==' } },
      'data[k]: Invalid value: "k": duplicate of key present in binaryData',
    ),
    refuses(
      'a ConfigMap of more than 1 MiB is refused',
      'configmaps',
      'ConfigMap',
      { data: { k: 'x'.repeat(MIB + 1) } },
      '[]: Too long: may not be more than 1048576 bytes',
    ),
    {
      name: 'a ConfigMap of just 1 MiB is accepted',
      source: core,
      async run({ make }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'x'.repeat(MIB) } })
      },
    },
    {
      name: 'binaryData must be base64',
      source: 'encoding/json, []byte',
      async run({ post, expect }) {
        expect.refused(await post('configmaps', { metadata: { name: 'a' }, binaryData: { k: 'ä' } }), {
          code: 400,
          reason: 'BadRequest',
          message:
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 0',
        })
      },
    },
    {
      name: 'data of numbers is a 400',
      source: 'k8s.io/apimachinery pkg/runtime/serializer/json/json.go @ v0.36.3',
      async run({ post, expect }) {
        expect.refused(await post('configmaps', { metadata: { name: 'a' }, data: { k: 1 } }), {
          code: 400,
          reason: 'BadRequest',
          message:
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
        })
      },
    },
    {
      name: 'a Secret encodes what it is given as text',
      source: 'k8s.io/api core/v1/types.go @ v0.36.3, Secret.StringData',
      async run({ make, read, expect }) {
        await make('secrets', {
          metadata: { name: 'a' },
          data: { k: 'djE=' },
          stringData: { k: 'v2', l: 'ä' },
        })
        const { data, stringData } = await read('secrets/a')
        expect.same({ data, stringData }, { data: { k: 'djI=', l: 'w6Q=' }, stringData: undefined })
      },
    },
    refuses(
      'a Secret for an image registry has its key',
      'secrets',
      'Secret',
      { type: 'kubernetes.io/dockerconfigjson' },
      'data[.dockerconfigjson]: Required value',
    ),
    refuses(
      'a Secret for TLS has its keys',
      'secrets',
      'Secret',
      { type: 'kubernetes.io/tls' },
      'data[tls.crt]: Required value',
      'data[tls.key]: Required value',
    ),
    refuses(
      'a Secret of more than 1 MiB is refused',
      'secrets',
      'Secret',
      { stringData: { k: 'x'.repeat(MIB + 1) } },
      'data: Too long: may not be more than 1048576 bytes',
    ),
    refuses(
      'a Service has ports',
      'services',
      'Service',
      { spec: { selector: { x: 'y' } } },
      'spec.ports: Required value',
    ),
    refuses(
      'a port is between 1 and 65535',
      'services',
      'Service',
      { spec: { ports: [{ port: 70_000 }] } },
      'spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
      'spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ),
    refuses(
      'of several ports each has a name',
      'services',
      'Service',
      { spec: { ports: [{ port: 80 }, { port: 81, name: 'b' }] } },
      'spec.ports[0].name: Required value',
    ),
    refuses(
      'a Service has a type that there is',
      'services',
      'Service',
      { spec: { type: 'Some', ports: [{ port: 80 }] } },
      'spec.type: Unsupported value: "Some": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ),
    refuses(
      'a Pod has containers',
      'pods',
      'Pod',
      { spec: { containers: [] } },
      'spec.containers: Required value',
    ),
    refuses(
      'a container has a name and an image',
      'pods',
      'Pod',
      { spec: { containers: [{}], automountServiceAccountToken: false } },
      'spec.containers[0].name: Required value',
      'spec.containers[0].image: Required value',
    ),
    refuses(
      'two containers do not share a name',
      'pods',
      'Pod',
      { spec: { containers: [container, container] } },
      'spec.containers[1].name: Duplicate value: "c"',
    ),
    refuses(
      'a restart policy is one that there is',
      'pods',
      'Pod',
      { spec: { containers: [container], restartPolicy: 'Perhaps' } },
      'spec.restartPolicy: Unsupported value: "Perhaps": supported values: "Always", "OnFailure", "Never"',
    ),
    refuses(
      'the selector of a Deployment chooses its pods',
      'deployments',
      'Deployment.apps',
      {
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: { metadata: { labels: { app: 'b' } }, spec: { containers: [container] } },
        },
      },
      'spec.template.metadata.labels: Invalid value: {"app":"b"}: `selector` does not match template `labels`',
    ),
    refuses(
      'the container of a Deployment has an image',
      'deployments',
      'Deployment.apps',
      {
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c' }] } },
        },
      },
      'spec.template.spec.containers[0].image: Required value',
    ),
    refuses(
      'an Ingress has a rule or a backend',
      'ingresses',
      'Ingress.networking.k8s.io',
      { spec: {} },
      'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
    ),
    refuses(
      'a RoleBinding names a role',
      'rolebindings',
      'RoleBinding.rbac.authorization.k8s.io',
      { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: '' } },
      'roleRef.name: Required value',
    ),
    refuses(
      'a PersistentVolumeClaim asks for a size',
      'persistentvolumeclaims',
      'PersistentVolumeClaim',
      { spec: { accessModes: ['ReadWriteOnce'] } },
      'spec.resources[storage]: Required value',
    ),
    {
      name: 'an Event is about something in its own namespace',
      source: 'k8s.io/kubernetes pkg/apis/core/validation/events.go @ v1.36.3',
      async run({ post, expect }) {
        const involvedObject = { kind: 'Pod', name: 'x', namespace: 'default' }
        expect.invalid(await post('events', { metadata: { name: 'a' }, involvedObject }), {
          kind: 'Event',
          name: 'a',
          because: ['involvedObject.namespace: Invalid value: "default": does not match event.namespace'],
        })
      },
    },
    {
      name: 'a Lease has a duration above zero',
      source: 'k8s.io/kubernetes pkg/apis/coordination/validation/validation.go @ v1.36.3',
      async run({ post, expect }) {
        const spec = { leaseDurationSeconds: 0, leaseTransitions: -1 }
        expect.invalid(await post('leases', { metadata: { name: 'a' }, spec }), {
          kind: 'Lease',
          group: 'coordination.k8s.io',
          name: 'a',
          because: [
            'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
            'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
          ],
        })
      },
    },
    {
      name: 'a time that is none is a 400',
      source: 'k8s.io/apimachinery pkg/apis/meta/v1/micro_time.go @ v0.36.3',
      async run({ post, expect }) {
        const answer = await post('leases', { metadata: { name: 'a' }, spec: { renewTime: 'noon' } })
        expect.answer(answer, 400, {
          reason: 'BadRequest',
          message: /^Lease in version "v1" cannot be handled as a Lease: /,
        })
      },
    },
  ],
}
