import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509'
import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const storage = 'k8s.io/kubernetes plugin/pkg/admission/storage @ v1.36.3'
const ingress = 'k8s.io/kubernetes plugin/pkg/admission/network/defaultingressclass @ v1.36.3'
const certificates = 'k8s.io/kubernetes plugin/pkg/admission/certificates/subjectrestriction @ v1.36.3'

const storageDefault = 'storageclass.kubernetes.io/is-default-class'
const ingressDefault = 'ingressclass.kubernetes.io/is-default-class'

const claim = (storage: string, more: object = {}) => ({
  metadata: { name: 'a' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...more },
})

/** Makes a class that only this case uses, and removes it at the end: a default class concerns all namespaces. */
async function withClass(
  client: CaseClient,
  { plural, ...body }: { plural: string; metadata: object; [member: string]: unknown },
  run: (name: string) => Promise<void>,
): Promise<void> {
  const name = client.namespace
  await client.make(plural, { ...body, metadata: { ...body.metadata, name } })
  try {
    await run(name)
  } finally {
    await client.delete(`${plural}/${name}`)
  }
}

/** A claim that is bound to a volume, as the controller of volumes would bind it. */
async function bind(client: CaseClient, storageClassName: string): Promise<void> {
  const { namespace } = client
  const accessModes = ['ReadWriteOnce']
  const claimRef = { namespace, name: 'a' }
  await client.make('persistentvolumes', {
    metadata: { name: namespace },
    spec: { accessModes, capacity: { storage: '4Gi' }, hostPath: { path: '/x' }, storageClassName, claimRef },
  })
  await client.make('persistentvolumeclaims', claim('1Gi', { storageClassName, volumeName: namespace }))
  const status = { phase: 'Bound', accessModes, capacity: { storage: '4Gi' } }
  const answer = await client.patch('persistentvolumeclaims/a/status', 'merge', { status })
  client.expect.answer(answer, 200)
}

/** A certificate request as PEM in base64, as in `spec.request`. */
async function certificateRequest(name: string): Promise<string> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, false, ['sign', 'verify'])
  const request = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm }, webcrypto)
  return Buffer.from(request.toString('pem')).toString('base64')
}

/** Default classes, claims that grow, and subjects of certificates. */
export const defaultClasses: CaseGroup = {
  name: 'default-classes',
  cases: [
    {
      name: 'a claim without a class gets the default class, and one with an empty class does not',
      source: storage,
      async run(client) {
        const annotations = { [storageDefault]: 'true' }
        const given = { plural: 'storageclasses', metadata: { annotations }, provisioner: 'example.com/a' }
        await withClass(client, given, async (name) => {
          const classOf = async (more: object) => {
            const { body } = await client.post('persistentvolumeclaims?dryRun=All', claim('1Gi', more))
            return (body as { spec?: { storageClassName?: string } }).spec?.storageClassName
          }
          await client.until('the class is the default', async () => (await classOf({})) === name)
          client.expect.same(await classOf({ storageClassName: '' }), '')
        })
        await client.until('the class is not the default any more', async () => {
          const { body } = await client.post('persistentvolumeclaims?dryRun=All', claim('1Gi'))
          return (body as { spec?: { storageClassName?: string } }).spec?.storageClassName === undefined
        })
      },
    },
    {
      name: 'an Ingress without a class gets the default class',
      source: ingress,
      async run(client) {
        const annotations = { [ingressDefault]: 'true' }
        const spec = { controller: 'example.com/a' }
        const given = { plural: 'ingressclasses', metadata: { annotations }, spec }
        await withClass(client, given, async (name) => {
          const classOf = async (metadata: object) => {
            const body = { metadata: { name: 'a', ...metadata }, spec: { defaultBackend: backend } }
            const answer = await client.post('ingresses?dryRun=All', body)
            return (answer.body as { spec?: { ingressClassName?: string } }).spec?.ingressClassName
          }
          await client.until('the class is the default', async () => (await classOf({})) === name)
          client.expect.same(
            await classOf({ annotations: { 'kubernetes.io/ingress.class': 'other' } }),
            undefined,
          )
        })
      },
    },
    {
      name: 'a bound claim grows only if its class allows it',
      source: storage,
      async run(client) {
        const name = client.namespace
        const given = { plural: 'storageclasses', metadata: {}, provisioner: 'example.com/a' }
        await withClass(client, { ...given, allowVolumeExpansion: true }, async (storageClassName) => {
          await bind(client, storageClassName)
          const grow = () => client.patch('persistentvolumeclaims/a?dryRun=All', 'merge', claim('2Gi'))
          await client.until('the class is known', async () => (await grow()).status === 200)
          const change = { allowVolumeExpansion: false }
          client.expect.answer(await client.patch(`storageclasses/${name}`, 'merge', change), 200)
          await client.until('the class forbids it', async () => (await grow()).status === 403)
          client.expect.refused(await grow(), {
            code: 403,
            reason: 'Forbidden',
            message: `persistentvolumeclaims "a" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize`,
            details: { name: 'a', kind: 'persistentvolumeclaims' },
          })
        })
      },
    },
    {
      name: 'a client certificate of the group system:masters is refused',
      source: certificates,
      async run(client) {
        const name = client.namespace
        const spec = { signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] }
        const ask = async (subject: string) =>
          client.post('certificatesigningrequests?dryRun=All', {
            metadata: { name },
            spec: { ...spec, request: await certificateRequest(subject) },
          })
        client.expect.refused(await ask('O=system:masters, CN=me'), {
          code: 403,
          reason: 'Forbidden',
          message: `certificatesigningrequests.certificates.k8s.io "${name}" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed`,
          details: { name, group: 'certificates.k8s.io', kind: 'certificatesigningrequests' },
        })
        client.expect.answer(await ask('O=others, CN=system:masters'), 201)
      },
    },
  ],
}

const backend = { service: { name: 'x', port: { number: 80 } } }
