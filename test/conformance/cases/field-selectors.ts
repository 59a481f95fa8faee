import type { Case, CaseGroup } from '../case.js'
import { caseResources } from '../resources.js'
import { running, template } from '../samples.js'

const labels = 'k8s.io/kubernetes pkg/apis/*/v1/conversion.go @ v1.36.3'
const containers = [{ name: 'c', image: 'i' }]
const every = ['metadata.name', 'metadata.namespace']

const refusals = {
  label: (field: string) => `field label not supported: ${field}`,
  job: (field: string) => `field label "${field}" not supported for Job`,
  slice: (field: string) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
  known: (field: string, known: readonly string[]) =>
    `"${field}" is not a known field selector: only ${known.map((name) => `"${name}"`).join(', ')}`,
}

interface Selectable {
  readonly resource: string
  readonly fields: readonly string[]
  /** The error of an unsupported field; default a list of the supported ones. */
  readonly refused?: keyof typeof refusals
}

/** The selectable fields of a resource, and the error of another field. */
function choosesBy({ resource, fields, refused = 'known' }: Selectable): Case {
  return {
    name: `${resource} can be selected by ${fields.join(', ')}`,
    source: labels,
    async run({ get, expect }) {
      for (const field of fields)
        expect.answer(await get(`${resource}?fieldSelector=${field}%3Dnone`), 200, { items: [] })
      expect.refused(await get(`${resource}?fieldSelector=spec.other%3Da`), {
        code: 400,
        reason: 'BadRequest',
        message: refusals[refused]('spec.other', fields),
      })
    },
  }
}

/** Resources without their own selectable fields. */
const plain = [
  'apiservices',
  'clusterroles',
  'configmaps',
  'csidrivers',
  'customresourcedefinitions',
  'daemonsets',
  'deployments',
  'deviceclasses',
  'flowschemas',
  'ingressclasses',
  'leases',
  'persistentvolumes',
  'priorityclasses',
  'prioritylevelconfigurations',
  'resourceclaims',
  'runtimeclasses',
  'servicecidrs',
  'statefulsets',
  'storageclasses',
  'validatingwebhookconfigurations',
  'volumeattachments',
]

interface Chosen {
  readonly resource: string
  readonly spec: object
  /** Selectors that match the object, followed by one that does not. */
  readonly by: readonly string[]
  readonly notBy: readonly string[]
}

function finds({ resource, spec, by, notBy }: Chosen): Case {
  return {
    name: `a field selector selects one of ${resource}`,
    source: labels,
    async run({ make, get, expect, namespace }) {
      const name = caseResources[resource]?.namespaced === true ? 'a' : `a-${namespace}`
      await make(resource, { metadata: { name }, ...spec })
      const found = async (selector: string) => {
        const { body } = await get(`${resource}?fieldSelector=${encodeURIComponent(selector)}`)
        return (body.items ?? []).map(({ metadata }) => metadata.name)
      }
      for (const selector of by) expect.ok((await found(selector)).includes(name), `${selector} matches it`)
      for (const selector of notBy) expect.ok(!(await found(selector)).includes(name), `${selector} does not`)
    },
  }
}

/** The selectable fields of each kind. */
export const fieldSelectors: CaseGroup = {
  name: 'field-selectors',
  cases: [
    ...plain.map((resource) => choosesBy({ resource, fields: every })),
    choosesBy({ resource: 'namespaces', fields: ['metadata.name', 'status.phase'], refused: 'label' }),
    choosesBy({ resource: 'nodes', fields: ['metadata.name', 'spec.unschedulable'], refused: 'label' }),
    choosesBy({ resource: 'jobs', fields: [...every, 'status.successful'], refused: 'job' }),
    choosesBy({
      resource: 'resourceslices',
      fields: ['metadata.name', 'spec.driver', 'spec.nodeName'],
      refused: 'slice',
    }),
    choosesBy({ resource: 'secrets', fields: [...every, 'type'], refused: 'label' }),
    choosesBy({
      resource: 'replicationcontrollers',
      fields: [...every, 'status.replicas'],
      refused: 'label',
    }),
    choosesBy({
      resource: 'pods',
      fields: [
        ...every,
        'spec.nodeName',
        'spec.host',
        'spec.restartPolicy',
        'spec.schedulerName',
        'spec.serviceAccountName',
        'spec.hostNetwork',
        'status.phase',
        'status.podIP',
        'status.podIPs',
        'status.nominatedNodeName',
      ],
      refused: 'label',
    }),
    {
      name: 'certificate signing requests can be selected by their signer',
      source: labels,
      async run({ get, expect }) {
        const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests?fieldSelector='
        for (const field of ['metadata.name', 'spec.signerName'])
          expect.answer(await get(`${path}${field}%3Dnone`), 200)
        expect.refused(await get(`${path}metadata.namespace%3Da`), {
          code: 400,
          reason: 'BadRequest',
          message: 'field label not supported: metadata.namespace',
        })
      },
    },
    finds({
      resource: 'pods',
      spec: { spec: { containers, nodeName: 'n', hostNetwork: true } },
      by: [
        'spec.hostNetwork=true',
        'spec.host=n',
        'spec.nodeName=n',
        'status.podIPs=',
        'status.podIPs!=10.0.0.1',
      ],
      notBy: ['spec.hostNetwork=false', 'spec.host=m', 'status.podIPs=10.0.0.1'],
    }),
    finds({
      resource: 'jobs',
      spec: { spec: { suspend: true, template } },
      by: ['status.successful=0'],
      notBy: ['status.successful=1', 'status.successful='],
    }),
    finds({
      resource: 'replicationcontrollers',
      spec: { spec: { replicas: 0, selector: { app: 'a' }, template: running } },
      by: ['status.replicas=0'],
      notBy: ['status.replicas=2'],
    }),
    finds({
      resource: 'priorityclasses',
      spec: { value: 1 },
      by: ['metadata.namespace=', 'metadata.namespace!=a'],
      notBy: ['metadata.namespace=a'],
    }),
  ],
}
