import { encodedRequest } from '../../differential/fuzz/base-objects.js'
import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { refuses } from '../refuses.js'

const source = 'k8s.io/kubernetes pkg/registry/certificates/certificates/strategy.go @ v1.36.3'
const kind = { kind: 'CertificateSigningRequest', group: 'certificates.k8s.io' }
const spec = { request: encodedRequest, signerName: 'example.com/signer', usages: ['client auth'] }
const resource = 'certificatesigningrequests'

const der = (tag: number, ...parts: readonly Buffer[]) => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, content.length]), content])
}
const sequence = 0x30

/** A request with an Ed25519 key whose signature names an ECDSA algorithm. */
function mismatchedRequest(): string {
  const identifier = Buffer.from('06082a8648ce3d040302', 'hex')
  const key = Buffer.from(`302a300506032b6570032100${'07'.repeat(32)}`, 'hex')
  const info = der(sequence, Buffer.from('020100', 'hex'), der(sequence), key, der(0xa0))
  const signature = der(0x03, Buffer.alloc(9))
  const text = der(sequence, info, der(sequence, identifier), signature).toString('base64')
  const label = 'CERTIFICATE REQUEST-----'
  const lines = (text.match(/.{1,64}/g) ?? []).join('\n')
  return Buffer.from(`-----BEGIN ${label}\n${lines}\n-----END ${label}\n`).toString('base64')
}

/** Creates a request with the name of the case's namespace. */
async function made({ make, namespace }: CaseClient): Promise<string> {
  await make(resource, { metadata: { name: namespace }, spec })
  return `${resource}/${namespace}`
}

/** The parts of a request, the verbs on its signer that they need, and names that permit the verb. */
const permitted = [
  ['approval', 'approve', spec.signerName],
  ['status', 'sign', 'example.com/*'],
] as const

/** Gives the user with the name of the case's namespace a role in the whole cluster. */
async function allow({ make, namespace }: CaseClient, title: string, rule: object): Promise<void> {
  const metadata = { name: `${namespace}-${title}` }
  await make('clusterroles', { metadata, rules: [{ apiGroups: [kind.group], ...rule }] })
  const group = 'rbac.authorization.k8s.io'
  const roleRef = { apiGroup: group, kind: 'ClusterRole', name: metadata.name }
  const subjects = [{ apiGroup: group, kind: 'User', name: namespace }]
  await make('clusterrolebindings', { metadata, roleRef, subjects })
}

const approved = { type: 'Approved', status: 'True', reason: 'Test', message: 'm' }
const fieldsOf = (answer: { body: Readonly<Record<string, unknown>> }) =>
  (answer.body.metadata as { managedFields?: { fieldsV1: object; subresource?: string }[] }).managedFields ??
  []

/** Requests for certificates: who asked, who decides, who issues. */
export const signingRequests: CaseGroup = {
  name: 'signing-requests',
  cases: [
    {
      name: 'a request records its creator, not the one in its body',
      source,
      async run({ post, get, expect, namespace, delete: remove }) {
        const who = await post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'SelfSubjectReview',
        })
        const { username, groups } = (who.body.status as { userInfo: { username: string; groups: string[] } })
          .userInfo
        const given = { ...spec, username: 'eve', uid: 'u', groups: ['g'], extra: { a: ['b'] } }
        const created = await post(resource, { metadata: { name: namespace }, spec: given })
        expect.answer(created, 201, { spec: { ...spec, username, groups, uid: undefined }, status: {} })
        expect.same((created.body.spec as { extra?: { a?: unknown } }).extra?.a, undefined)
        expect.same(fieldsOf(created), [])
        const { body } = await get(`${resource}/${namespace}`)
        expect.has(body, { spec: { username } })
        await remove(`${resource}/${namespace}`)
      },
    },
    {
      name: 'the spec of a request is never changed',
      source,
      async run(client) {
        const { expect, patch, delete: remove } = client
        const path = await made(client)
        const answer = await patch(path, 'merge', {
          metadata: { labels: { a: 'b' } },
          spec: { usages: ['server auth'], username: 'eve' },
          status: { conditions: [approved] },
        })
        expect.answer(answer, 200, {
          metadata: { labels: { a: 'b' } },
          spec: { usages: ['client auth'] },
          status: {},
        })
        await remove(path)
      },
    },
    {
      name: 'an approval sets conditions with their times, and nothing else',
      source,
      async run(client) {
        const { expect, get, put, delete: remove } = client
        const path = await made(client)
        const { body } = await get(path)
        const asked = {
          ...body,
          spec: { ...spec, usages: ['any'] },
          status: { conditions: [approved], certificate: 'YQ==' },
        }
        const answer = await put(`${path}/approval`, asked)
        const time = /^\d{4}-.*Z$/
        expect.answer(answer, 200, {
          spec: { usages: ['client auth'] },
          status: {
            conditions: [{ ...approved, lastUpdateTime: time, lastTransitionTime: time }],
            certificate: undefined,
          },
        })
        expect.same(fieldsOf(answer), [])
        await remove(path)
      },
    },
    {
      name: 'only an approval decides, and no decision is taken back',
      source,
      async run(client) {
        const { expect, patch, delete: remove, namespace } = client
        const path = await made(client)
        const refusal = (why: string, on: string = 'status.conditions: Forbidden') => ({
          code: 422,
          reason: 'Invalid',
          message: `CertificateSigningRequest.certificates.k8s.io "${namespace}" is invalid: ${on}: ${why}`,
        })
        const early = await patch(`${path}/status`, 'merge', { status: { conditions: [approved] } })
        expect.has(early.body, refusal('updates may not add a condition of type "Approved"'))
        const first = await patch(`${path}/approval`, 'merge', { status: { conditions: [approved] } })
        expect.answer(first, 200)
        const both = await patch(`${path}/approval`, 'merge', {
          status: { conditions: [approved, { ...approved, type: 'Denied' }] },
        })
        const exclusive = 'Approved and Denied conditions are mutually exclusive'
        expect.has(both.body, refusal(exclusive, 'status.conditions: Invalid value: "Denied"'))
        const taken = await patch(`${path}/approval`, 'merge', { status: { conditions: [] } })
        expect.has(taken.body, refusal('updates may not remove a condition of type "Approved"'))
        // A signer that sends another message does not change the decision.
        const other = { status: { conditions: [{ ...approved, message: 'other' }] } }
        const kept = await patch(`${path}/status`, 'merge', other)
        expect.answer(kept, 200, { status: { conditions: [{ message: 'm' }] } })
        await remove(path)
      },
    },
    {
      name: 'a certificate is a PEM block, and is issued once',
      source: 'k8s.io/kubernetes pkg/apis/certificates/validation/validation.go @ v1.36.3',
      async run(client) {
        const { expect, patch, delete: remove } = client
        const path = await made(client)
        const certificate = Buffer.from('x').toString('base64')
        const bad = await patch(`${path}/status`, 'merge', { status: { certificate } })
        expect.has(bad.body, {
          code: 422,
          message:
            /status\.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block$/,
        })
        const other = await patch(`${path}/approval`, 'merge', {
          status: { certificate, conditions: [{ type: 'Approved', status: 'False' }] },
        })
        expect.has(other.body, {
          code: 422,
          message: /status\.conditions\[0\]\.status: Unsupported value: "False": supported values: "True"$/,
        })
        await remove(path)
      },
    },
    refuses(
      'a request is one, with known usages, a signer and a duration',
      resource,
      kind,
      { spec: { request: 'YQ==', signerName: 'a', usages: ['odd', 'any', 'any'], expirationSeconds: 1 } },
      'spec.request: Invalid value: "YQ==": PEM block type must be CERTIFICATE REQUEST',
      'spec.usages[0]: Unsupported value: "odd": supported values: "any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping"',
      'spec.usages[2]: Duplicate value: "any"',
      'spec.signerName: Invalid value: "a": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
      'spec.expirationSeconds: Invalid value: 1: may not specify a duration less than 600 seconds (10 minutes)',
    ),
    refuses(
      'a request is required',
      resource,
      kind,
      { spec: { ...spec, request: null } },
      'spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST',
    ),
    refuses(
      'a signer has a domain and a path',
      resource,
      kind,
      { spec: { ...spec, signerName: 'A/b_c' } },
      "spec.signerName: Invalid value: \"A\": validating label \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.signerName: Invalid value: "A": should be a domain with at least two segments separated by dots',
      "spec.signerName: Invalid value: \"b_c\": validating label \"b_c\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ),
    refuses(
      'the algorithm of a signature is one of its key',
      resource,
      kind,
      { spec: { ...spec, request: mismatchedRequest() } },
      `spec.request: Invalid value: "${mismatchedRequest()}": x509: signature algorithm specifies an ECDSA public key, but have public key of type ed25519.PublicKey`,
    ),
    {
      name: 'the signature of a request is that of its key',
      source: 'k8s.io/kubernetes pkg/apis/certificates/validation/validation.go @ v1.36.3',
      async run({ post, expect, namespace }) {
        const pem = Buffer.from(encodedRequest, 'base64').toString()
        const [head, body = '', tail] = pem.split(/(?<=REQUEST-----\n)|(?=-----END)/)
        const der = Buffer.from(body, 'base64')
        der[der.length - 1] = (der.at(-1) ?? 0) ^ 1
        const request = Buffer.from(`${head}${der.toString('base64')}\n${tail}`).toString('base64')
        const answer = await post(resource, { metadata: { name: namespace }, spec: { ...spec, request } })
        expect.has(answer.body, { code: 422, message: /x509: ECDSA verification failure$/ })
      },
    },
    {
      name: 'a user needs approve and sign for the signer, by its name or by its domain',
      source: 'k8s.io/kubernetes plugin/pkg/admission/certificates/{approval,signing}/admission.go @ v1.36.3',
      async run(client) {
        const { put, read, until, expect, namespace } = client
        const request = await made(client)
        const paths = [`${resource}/approval`, `${resource}/status`]
        await allow(client, 'writer', { resources: paths, verbs: ['update'] })
        for (const [part, verb, name] of permitted) {
          const { status = {}, ...rest } = await read(request)
          const { conditions = [] } = status as { conditions?: object[] }
          const condition = { ...approved, type: part === 'approval' ? 'Approved' : 'Failed' }
          const next = { ...rest, status: { ...(status as object), conditions: [...conditions, condition] } }
          const write = () => put(`${request}/${part}`, next, { headers: { 'impersonate-user': namespace } })
          const why = `user not permitted to ${verb} requests with signerName "${spec.signerName}"`
          const isRefused = async () => String((await write()).body.message).includes(why)
          await until('the user may write', isRefused)
          expect.refused(await write(), {
            code: 403,
            reason: 'Forbidden',
            message: `${resource}.${kind.group} "${namespace}" is forbidden: ${why}`,
            details: { name: namespace, group: kind.group, kind: resource },
          })
          await allow(client, verb, { resources: ['signers'], verbs: [verb], resourceNames: [name] })
          await until(`the user may ${verb}`, async () => (await write()).status === 200)
        }
      },
    },
  ],
}
