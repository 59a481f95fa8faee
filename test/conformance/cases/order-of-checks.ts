import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import type { Answer } from '../cluster-under-test.js'
import { tableHeaders } from '../shows.js'

const handlers = 'k8s.io/apiserver pkg/endpoints/handlers'
const deleting = `${handlers}/delete.go @ v0.36.3`
const patching = `${handlers}/patch.go @ v0.36.3`
const partialHeaders = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }
const metadata = { name: 'a' }

/** A request with several errors, and the reported one. */
function refusedFor(
  name: string,
  source: string,
  send: (client: CaseClient) => Promise<Answer>,
  [code, message]: readonly [number, string],
): Case {
  return {
    name,
    source,
    async run(client) {
      client.expect.has((await send(client)).body, { code, message })
    },
  }
}

const options = (problems: string) => `DeleteOptions.meta.k8s.io "" is invalid: ${problems}`
const policies = 'supported values: "Foreground", "Background", "Orphan", "nil"'
const odd = `propagationPolicy: Unsupported value: "Odd": ${policies}`
const foreignUid = '11111111-2222-4333-8444-555555555555'
const deployment = {
  metadata,
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
}

/** Several errors of one request: some are reported together, otherwise only the first one is. */
export const orderOfChecks: CaseGroup = {
  name: 'order-of-checks',
  cases: [
    refusedFor(
      'all errors in the options of a delete are reported together',
      'k8s.io/apimachinery pkg/apis/meta/v1/validation/validation.go @ v0.36.3',
      ({ delete: remove }) =>
        remove('configmaps/a', { orphanDependents: true, propagationPolicy: 'Odd', dryRun: ['Some'] }),
      [
        422,
        options(
          `[propagationPolicy: Invalid value: "Odd": orphanDependents and deletionPropagation cannot be both set, ${odd}, dryRun: Unsupported value: ["Some"]: supported values: "All"]`,
        ),
      ],
    ),
    refusedFor(
      'field selectors of a collection are parsed before the options of the delete',
      deleting,
      ({ delete: remove }) => remove('configmaps?fieldSelector=type%3DNormal&propagationPolicy=Odd'),
      [400, '"type" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ),
    refusedFor(
      'numbers of a list query are parsed before its selectors',
      `${handlers}/get.go @ v0.36.3`,
      ({ get }) => get('configmaps?labelSelector=a%20in&timeoutSeconds=five'),
      [400, 'strconv.ParseInt: parsing "five": invalid syntax'],
    ),
    refusedFor(
      'an unsupported method is reported before an unsupported media type',
      'k8s.io/apiserver pkg/endpoints/installer.go @ v0.36.3',
      ({ get }) =>
        get('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { headers: { accept: 'text/html' } }),
      [405, 'the server does not allow this method on the requested resource'],
    ),
    refusedFor(
      'the kind of a Scale is checked before its object',
      `${handlers}/update.go @ v0.36.3`,
      ({ put }) => put('replicasets/none/scale', { kind: 'ReplicaSet', apiVersion: 'apps/v1', metadata }),
      [
        400,
        'ReplicaSet in version "v1" cannot be handled as a Scale: converting (v1.ReplicaSet) to (autoscaling.Scale): unknown conversion',
      ],
    ),
    refusedFor(
      'a Status is known in every version, and is another kind',
      `${handlers}/update.go @ v0.36.3`,
      ({ put }) => put('deployments/none', { kind: 'Status', apiVersion: 'v1', metadata }),
      [
        400,
        'Status in version "v1" cannot be handled as a Deployment: converting (v1.Status) to (apps.Deployment): unknown conversion',
      ],
    ),
    refusedFor(
      'an apply to a Scale checks the kind before the fields',
      patching,
      async ({ make, patch }) => {
        await make('deployments', deployment)
        const wanted = { kind: 'Deployment', apiVersion: 'apps/v1', metadata: [] }
        return patch('deployments/a/scale?fieldManager=m', 'apply', wanted)
      },
      [400, 'invalid object type: apps/v1, Kind=Deployment'],
    ),
    refusedFor(
      'an apply to the status of a missing object is not validated',
      'k8s.io/apiserver pkg/registry/generic/registry/store.go @ v0.36.3',
      ({ patch }) =>
        patch('poddisruptionbudgets/a/status?fieldManager=m', 'apply', { kind: 'Secret', apiVersion: 'v1' }),
      [404, 'poddisruptionbudgets.policy "a" not found'],
    ),
    {
      name: 'a patch with the UID of another object reports other errors as well',
      source: patching,
      async run({ make, patch, expect }) {
        await make('secrets', { metadata, type: 'Opaque' })
        const change = { metadata: { uid: foreignUid }, type: 'other' }
        const uid = `metadata.uid: Invalid value: "${foreignUid}": field is immutable`
        expect.has((await patch('secrets/a', 'merge', change)).body, {
          code: 422,
          message: `Secret "a" is invalid: [${uid}, type: Invalid value: "other": field is immutable]`,
        })
      },
    },
    {
      name: 'an apply to the status creates a missing ValidatingAdmissionPolicy',
      source:
        'k8s.io/kubernetes pkg/registry/admissionregistration/validatingadmissionpolicy/storage/storage.go',
      async run({ patch, namespace, expect }) {
        const [apiVersion, kind] = ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy']
        const resourceRules = [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
        ]
        const spec = { matchConstraints: { resourceRules }, validations: [{ expression: 'true' }] }
        const path = `/apis/${apiVersion}/validatingadmissionpolicies/${namespace}/status?fieldManager=m&dryRun=All`
        const wanted = { apiVersion, kind, metadata: { name: namespace }, spec }
        expect.answer(await patch(path, 'apply', wanted), 201, { kind, spec: { failurePolicy: 'Fail' } })
      },
    },
    {
      name: 'a review can be returned as its metadata',
      source: `${handlers}/response.go @ v0.36.3`,
      async run({ post, expect }) {
        const review = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' }
        const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
        const answer = await post(path, review, { headers: partialHeaders })
        expect.answer(answer, 201, { kind: 'PartialObjectMetadata', status: undefined })
      },
    },
    {
      name: 'a TokenReview of an invalid token keeps the rest of its status and loses its UID',
      source: 'k8s.io/kubernetes pkg/registry/authentication/tokenreview/storage.go @ v1.36.3',
      async run({ post, expect }) {
        const answer = await post('/apis/authentication.k8s.io/v1/tokenreviews', {
          kind: 'TokenReview',
          apiVersion: 'authentication.k8s.io/v1',
          metadata: { name: 'a', uid: foreignUid },
          spec: { token: 'nonsense' },
          status: { authenticated: true, audiences: ['x'], user: { uid: 'y' } },
        })
        const status = { authenticated: undefined, audiences: ['x'], user: { uid: 'y' } }
        expect.answer(answer, 201, { metadata: { name: 'a', uid: undefined }, status })
      },
    },
    {
      name: 'a JSON patch copies null from a missing member',
      source: 'gopkg.in/evanphx/json-patch.v4 patch.go',
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata, data: { b: '1' } })
        const copy = [{ op: 'copy', from: '/metadata/annotations', path: '/data/b' }]
        expect.answer(await patch('configmaps/a', 'json', copy), 200, { data: { b: '' } })
      },
    },
    refusedFor(
      'a JSON patch can replace a whole document, but not add or remove it',
      'gopkg.in/evanphx/json-patch.v4 patch.go',
      async ({ make, patch }) => {
        await make('configmaps', { metadata })
        return patch('configmaps/a', 'json', [{ op: 'replace', path: '', value: null }])
      },
      [422, 'the server rejected our request due to an error in our request'],
    ),
    {
      name: 'a status of a PersistentVolume keeps its time, and accepts no finalizer without a prefix',
      source: 'k8s.io/kubernetes pkg/registry/core/persistentvolume/strategy.go @ v1.36.3',
      async run({ make, read, put, patch, delete: remove, namespace, expect }) {
        const spec = {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/tmp/a' },
        }
        await make('persistentvolumes', { metadata: { name: namespace }, spec })
        const path = `persistentvolumes/${namespace}/status`
        // A controller may change the phase, and with it the time, before the status is written.
        const keep = async (): Promise<void> => {
          const live = (await read(path)) as { status?: { phase?: string } }
          const answer = await put(path, { ...live, status: { phase: live.status?.phase } })
          if (answer.status === 409) return keep()
          expect.answer(answer, 200, { status: live.status })
        }
        await keep()
        const finalizers = { metadata: { finalizers: ['odd'] } }
        expect.answer(await patch(path, 'merge', finalizers), 422)
        await remove(`persistentvolumes/${namespace}`)
        await patch(`persistentvolumes/${namespace}`, 'merge', { metadata: { finalizers: null } })
      },
    },
    {
      name: 'the generation of a CSIDriver starts at its first change',
      source: 'k8s.io/kubernetes pkg/registry/storage/csidriver/strategy.go @ v1.36.3',
      async run({ post, patch, delete: remove, namespace, expect }) {
        const path = '/apis/storage.k8s.io/v1/csidrivers'
        const head = { kind: 'CSIDriver', apiVersion: 'storage.k8s.io/v1', metadata: { name: namespace } }
        const gated = { preventPodSchedulingIfMissing: true }
        expect.answer(await post(path, { ...head, spec: { attachRequired: false, ...gated } }), 201, {
          metadata: { generation: undefined },
          spec: { preventPodSchedulingIfMissing: undefined },
        })
        const change = { spec: { seLinuxMount: true } }
        const answer = await patch(`${path}/${namespace}`, 'merge', change)
        expect.answer(answer, 200, { metadata: { generation: 1 } })
        await remove(`${path}/${namespace}`)
      },
    },
    {
      name: 'fields of disabled features and of older versions are dropped',
      source: 'k8s.io/kubernetes pkg/registry/discovery/endpointslice/strategy.go @ v1.36.3',
      async run({ make, patch, post, expect }) {
        const endpoints = [{ addresses: ['10.0.0.1'], deprecatedTopology: { a: 'b' } }]
        const slice = { metadata, addressType: 'IPv4', endpoints }
        expect.answer(await post('endpointslices', slice), 201, {
          endpoints: [{ addresses: ['10.0.0.1'], deprecatedTopology: undefined }],
        })
        await make('pods', { metadata, spec: { containers: [{ name: 'c', image: 'i' }] } })
        const claims = [{ resourceClaimName: 'c', resources: {} }]
        const status = { nodeAllocatableResourceClaimStatuses: claims }
        expect.answer(await patch('pods/a/status', 'merge', { status }), 200, {
          status: { nodeAllocatableResourceClaimStatuses: undefined },
        })
      },
    },
    {
      name: 'a required empty list is stored as null',
      source: 'k8s.io/api core/v1/generated.pb.go @ v0.36.3',
      async run({ make, patch, expect }) {
        const limits = [{ type: 'Pod', max: { cpu: '1' } }]
        await make('limitranges', { metadata, spec: { limits } })
        const answer = await patch('limitranges/a', 'merge', { spec: { limits: [] } })
        expect.answer(answer, 200, { spec: { limits: null } })
        expect.same((await patch('limitranges/a', 'merge', {})).body.spec, { limits: null })
      },
    },
    {
      name: 'a required empty list is owned nevertheless',
      source: 'k8s.io/api rbac/v1/generated.pb.go @ v0.36.3',
      async run({ post, expect }) {
        const { body } = await post('roles', { metadata, rules: [] })
        const { managedFields } = body.metadata as unknown as { managedFields: { fieldsV1: object }[] }
        expect.same([body.rules, managedFields[0]?.fieldsV1], [null, { 'f:rules': {} }])
      },
    },
    {
      name: 'a CustomResourceDefinition accepts any finalizer name',
      source: 'k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go @ v0.36.3',
      async run({ post, expect }) {
        const names = { plural: 'as', kind: 'A' }
        const schema = { openAPIV3Schema: { type: 'object' } }
        const answer = await post('customresourcedefinitions?dryRun=All', {
          metadata: { name: 'as.finalizers.example.com', finalizers: ['no-slash'] },
          spec: {
            group: 'finalizers.example.com',
            scope: 'Namespaced',
            names,
            versions: [{ name: 'v1', served: true, storage: true, schema }],
          },
        })
        expect.answer(answer, 201, { metadata: { finalizers: ['no-slash'] } })
      },
    },
    {
      name: 'an apply to the status creates a missing Service',
      source: 'k8s.io/kubernetes pkg/registry/core/service/strategy.go @ v1.36.3',
      async run({ patch, expect }) {
        const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } }
        expect.answer(await patch('services/a/status?fieldManager=m', 'apply', service), 201, { metadata })
      },
    },
    {
      name: 'a delete of Jobs without a propagation policy causes a warning, even if there are none',
      source: 'k8s.io/kubernetes pkg/registry/batch/job/storage/storage.go @ v1.36.3',
      async run({ delete: remove, expect }) {
        const warned = [
          await remove('jobs/none'),
          await remove('jobs'),
          await remove('jobs', { orphanDependents: false }),
        ].map(({ headers }) => headers.warning?.includes('child pods are preserved by default') === true)
        expect.same(warned, [true, true, false])
      },
    },
    refusedFor(
      'the status of a ResourceClaim has no table',
      'k8s.io/kubernetes pkg/registry/resource/resourceclaim/storage/storage.go @ v1.36.3',
      ({ get, namespace }) =>
        get(`/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims/a/status`, {
          headers: tableHeaders,
        }),
      [
        406,
        'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      ],
    ),
  ],
}
