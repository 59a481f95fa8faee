import type { Case, CaseGroup } from '../case.js'
import type { PatchType } from '../case-client.js'

const decoder = 'sigs.k8s.io/json internal/golang/encoding/json/decode.go'
const converter = 'k8s.io/apimachinery pkg/runtime/converter.go @ v0.36.3'

/** A new object with fields of the wrong type. */
function undecoded(
  name: string,
  kind: string,
  resource: string,
  [body, problem]: [object | string, string],
): Case {
  return {
    name,
    source: decoder,
    async run({ post, expect }) {
      const headers = typeof body === 'string' ? { 'content-type': 'application/yaml' } : {}
      expect.refused(await post(resource, body, { headers }), {
        code: 400,
        reason: 'BadRequest',
        message: `${kind} in version "v1" cannot be handled as a ${kind}: ${problem}`,
      })
    },
  }
}

interface Patched {
  readonly type: PatchType
  readonly patch: object
  /** The end of the error. */
  readonly problem: string
}

/** A patch of a Service that sets a field to the wrong type. */
function unpatched(name: string, { type, patch, problem }: Patched): Case {
  return {
    name,
    source: type === 'strategic' ? converter : decoder,
    async run({ make, patch: send, expect }) {
      await make('services', { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } })
      const { status, body } = await send('services/a', type, patch)
      expect.same([status, String(body.message).endsWith(`: ${problem}`) || body.message], [422, true])
    },
  }
}

const json = (problem: string) => `json: cannot unmarshal ${problem}`
const metadata = { name: 'a' }

/** Which of several mismatches an error reports, and the names of the types. */
export const typeMismatches: CaseGroup = {
  name: 'type-mismatches',
  cases: [
    undecoded('a named string type is reported with its name', 'Service', 'services', [
      { metadata, spec: { sessionAffinity: true } },
      json('bool into Go struct field ServiceSpec.spec.sessionAffinity of type v1.ServiceAffinity'),
    ]),
    undecoded('a map of bytes is reported as a map of []uint8', 'Secret', 'secrets', [
      { metadata, data: [null] },
      json('array into Go struct field Secret.data of type map[string][]uint8'),
    ]),
    undecoded('a map of times is reported as a map of Time', 'PodDisruptionBudget', 'poddisruptionbudgets', [
      '{"metadata":{"name":"a"},"status":{"disruptedPods":1.5}}',
      json(
        'number into Go struct field PodDisruptionBudgetStatus.status.disruptedPods of type map[string]v1.Time',
      ),
    ]),
    undecoded('a fraction is quoted only if an integer is expected', 'ConfigMap', 'configmaps', [
      '{"metadata":{"name":"a"},"binaryData":1.5}',
      json('number into Go struct field ConfigMap.binaryData of type map[string][]uint8'),
    ]),
    undecoded('the path contains embedded structs', 'Pod', 'pods', [
      { metadata, spec: { ephemeralContainers: [{ name: 'e', envFrom: 'a' }] } },
      json(
        'string into Go struct field EphemeralContainer.spec.ephemeralContainers.EphemeralContainerCommon.envFrom of type []v1.EnvFromSource',
      ),
    ]),
    undecoded('a time of another type is reported before other mismatches', 'CronJob', 'cronjobs', [
      { metadata: [], status: { lastScheduleTime: {} } },
      json('object into Go struct field CronJobStatus.status.lastScheduleTime of type string'),
    ]),
    undecoded('the members of YAML are read in alphabetical order', 'ConfigMap', 'configmaps', [
      'metadata: 1\ndata: 2\n',
      json('number into Go struct field ConfigMap.data of type map[string]string'),
    ]),
    undecoded('a quantity that is neither text nor number', 'LimitRange', 'limitranges', [
      { metadata, spec: { limits: [{ type: 'Pod', max: { cpu: true } }] } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ]),
    unpatched('the result of a merge patch is read in alphabetical order', {
      type: 'merge',
      patch: { spec: { type: 1, ports: 2 } },
      problem: json('number into Go struct field ServiceSpec.spec.ports of type []v1.ServicePort'),
    }),
    unpatched('a strategic merge patch with a string instead of a boolean', {
      type: 'strategic',
      patch: { spec: { publishNotReadyAddresses: 'a' } },
      problem: 'unrecognized type: bool',
    }),
    unpatched('a strategic merge patch with a number instead of a string', {
      type: 'strategic',
      patch: { spec: { sessionAffinity: 1 } },
      problem: 'cannot convert int64 to v1.ServiceAffinity',
    }),
    unpatched('a strategic merge patch with a fraction instead of a string', {
      type: 'strategic',
      patch: { spec: { sessionAffinity: 1.5 } },
      problem: 'unrecognized type: string',
    }),
    {
      name: 'a strategic merge patch and an apply truncate integers that are too large',
      source: converter,
      async run({ make, patch, expect }) {
        await make('services', { metadata, spec: { ports: [{ port: 80 }] } })
        const ports = [{ port: 80, nodePort: 2 ** 32 }]
        const patched = await patch('services/a', 'strategic', { spec: { ports } })
        expect.answer(patched, 200, { spec: { ports: [{ nodePort: undefined }] } })
        const wanted = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'b' }, spec: { ports } }
        const answer = await patch('services/b?fieldManager=m', 'apply', wanted)
        expect.answer(answer, 201, { spec: { ports: [{ nodePort: undefined }] } })
      },
    },
    {
      name: 'the schema of an apply accepts any scalar as a time',
      source: 'k8s.io/client-go applyconfigurations/internal/internal.go @ v0.36.3',
      async run({ patch, expect }) {
        const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata }
        const send = (renewTime: unknown) =>
          patch('leases/a?fieldManager=m', 'apply', { ...lease, spec: { renewTime } })
        const what = (word: string) => `failed to ${word} (/a; coordination.k8s.io/v1, Kind=Lease)`
        const [object, number] = [await send({}), await send(1)]
        expect.has(object.body, {
          code: 500,
          message: `${what('create typed patch object')}: .spec.renewTime: expected any scalar, got &{map[]}`,
        })
        expect.has(number.body, {
          code: 500,
          message: `${what('convert new object')} to proper version: unable to convert unstructured object to coordination.k8s.io/v1, Kind=Lease: json: cannot unmarshal number into Go value of type string`,
        })
      },
    },
  ],
}
