import type { Case, CaseGroup } from '../case.js'

const core = 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3'
const key =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
const mib = 1024 * 1024

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

const reasonForm =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"
const container = { name: 'c', image: 'i' }

/** Validation of the common kinds. */
export const validationKinds: CaseGroup = {
  name: 'validation-kinds',
  cases: [
    refuses(
      'a key of a ConfigMap must not contain a slash',
      'configmaps',
      'ConfigMap',
      { data: { 'a/b': 'v' } },
      `data[a/b]: Invalid value: "a/b": ${key}`,
    ),
    refuses(
      'a key must not be two dots',
      'configmaps',
      'ConfigMap',
      { data: { '..': 'v' } },
      'data[..]: Invalid value: "..": must not be \'..\'',
    ),
    refuses(
      'a key must not start with two dots',
      'configmaps',
      'ConfigMap',
      { data: { '..a': 'v' } },
      'data[..a]: Invalid value: "..a": must not start with \'..\'',
    ),
    refuses(
      'a key is either in data or in binaryData',
      'configmaps',
      'ConfigMap',
      { data: { k: 'v' }, binaryData: { k: 'dg==' } },
      'data[k]: Invalid value: "k": duplicate of key present in binaryData',
    ),
    refuses(
      'a ConfigMap of more than 1 MiB is rejected',
      'configmaps',
      'ConfigMap',
      { data: { k: 'x'.repeat(mib + 1) } },
      '[]: Too long: may not be more than 1048576 bytes',
    ),
    {
      name: 'a ConfigMap of just 1 MiB is accepted',
      source: core,
      async run({ make }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'x'.repeat(mib) } })
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
      name: 'the stringData of a Secret is encoded',
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
      'a Secret for an image registry needs its key',
      'secrets',
      'Secret',
      { type: 'kubernetes.io/dockerconfigjson' },
      'data[.dockerconfigjson]: Required value',
    ),
    refuses(
      'a Secret for TLS needs its keys',
      'secrets',
      'Secret',
      { type: 'kubernetes.io/tls' },
      'data[tls.crt]: Required value',
      'data[tls.key]: Required value',
    ),
    refuses(
      'a Secret of more than 1 MiB is rejected',
      'secrets',
      'Secret',
      { stringData: { k: 'x'.repeat(mib + 1) } },
      'data: Too long: may not be more than 1048576 bytes',
    ),
    refuses(
      'a Service needs ports',
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
      'several ports need names',
      'services',
      'Service',
      { spec: { ports: [{ port: 80 }, { port: 81, name: 'b' }] } },
      'spec.ports[0].name: Required value',
    ),
    refuses(
      'the type of a Service must be known',
      'services',
      'Service',
      { spec: { type: 'Some', ports: [{ port: 80 }] } },
      'spec.type: Unsupported value: "Some": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ),
    refuses(
      'a Pod needs containers',
      'pods',
      'Pod',
      { spec: { containers: [] } },
      'spec.containers: Required value',
    ),
    refuses(
      'a container needs a name and an image',
      'pods',
      'Pod',
      { spec: { containers: [{}], automountServiceAccountToken: false } },
      'spec.containers[0].name: Required value',
      'spec.containers[0].image: Required value',
    ),
    refuses(
      'two containers must not have the same name',
      'pods',
      'Pod',
      { spec: { containers: [container, container] } },
      'spec.containers[1].name: Duplicate value: "c"',
    ),
    refuses(
      'a restart policy must be known',
      'pods',
      'Pod',
      { spec: { containers: [container], restartPolicy: 'Perhaps' } },
      'spec.restartPolicy: Unsupported value: "Perhaps": supported values: "Always", "OnFailure", "Never"',
    ),
    refuses(
      'the selector of a Deployment must match its pods',
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
      'the container of a Deployment needs an image',
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
      'an Ingress needs a rule or a backend',
      'ingresses',
      'Ingress.networking.k8s.io',
      { spec: {} },
      'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
    ),
    refuses(
      'a RoleBinding needs a role',
      'rolebindings',
      'RoleBinding.rbac.authorization.k8s.io',
      { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: '' } },
      'roleRef.name: Required value',
    ),
    refuses(
      'a PersistentVolumeClaim needs a size',
      'persistentvolumeclaims',
      'PersistentVolumeClaim',
      { spec: { accessModes: ['ReadWriteOnce'] } },
      'spec.resources[storage]: Required value',
    ),
    {
      name: 'an Event is for an object in its own namespace',
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
      name: 'the duration of a Lease is above zero',
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
      name: 'the conditions of a PodDisruptionBudget are checked',
      source: 'k8s.io/apimachinery pkg/apis/meta/v1/validation/validation.go @ v0.36.3',
      async run({ make, patch, expect }) {
        await make('poddisruptionbudgets', { metadata: { name: 'a' }, spec: { minAvailable: 1 } })
        const lastTransitionTime = '2026-01-01T00:00:00Z'
        const good = { type: 'A', status: 'True', reason: 'Good', message: '', lastTransitionTime }
        const bad = { ...good, status: 'Maybe', reason: 'not good', observedGeneration: -1 }
        const conditions = [good, bad, { type: 'B', status: 'False', message: '', reason: '' }]
        const status = { disruptionsAllowed: -1, conditions }
        expect.invalid(await patch('poddisruptionbudgets/a/status', 'merge', { status }), {
          kind: 'PodDisruptionBudget',
          group: 'policy',
          name: 'a',
          because: [
            'status.conditions[1].type: Duplicate value: "A"',
            'status.conditions[1].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
            'status.conditions[1].observedGeneration: Invalid value: -1: must be greater than or equal to zero',
            `status.conditions[1].reason: Invalid value: "not good": ${reasonForm}`,
            'status.conditions[2].lastTransitionTime: Required value',
            'status.conditions[2].reason: Required value',
            'status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0',
          ],
        })
      },
    },
    {
      name: 'an invalid time is a 400',
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
