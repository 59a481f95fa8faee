// Tests long lists: each request is answered in linear time and memory, and the process survives.
import t from 'tap'
import { createApiServer } from './api-server.js'

const server = await createApiServer()
t.teardown(() => server.close())

interface Answer {
  readonly status: number
  readonly message: string
  readonly causes: readonly { readonly message: string }[]
}

async function send(method: string, path: string, body: object, type = 'application/json'): Promise<Answer> {
  const headers = { 'content-type': type }
  const answer = await server.handle({ method, path, headers, body: JSON.stringify(body) })
  const { message = '', details } = JSON.parse(Buffer.from(answer.body as Uint8Array).toString('utf8'))
  return { status: answer.status, message, causes: details?.causes ?? [] }
}

const listOf = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index))

const core = '/api/v1/namespaces/default'
const metadata = { name: 'long' }
const createPod = (spec: object) => send('POST', `${core}/pods`, { metadata, spec })

void t.test('a StorageClass with many empty topology terms is refused', async (t) => {
  const body = { metadata, provisioner: 'a.b/c', allowedTopologies: listOf(20_000, () => ({})) }
  const { status, message } = await send('POST', '/apis/storage.k8s.io/v1/storageclasses', body)
  t.equal(status, 422)
  t.match(message, 'allowedTopologies[0].matchLabelExpressions: Duplicate value: ""')
})

void t.test('a StorageClass with few equal terms has an error for each pair', async (t) => {
  const terms = listOf(3, () => ({ matchLabelExpressions: [{ key: 'a', values: ['b'] }] }))
  const body = { metadata, provisioner: 'a.b/c', allowedTopologies: terms }
  t.equal((await send('POST', '/apis/storage.k8s.io/v1/storageclasses', body)).causes.length, 3)
})

void t.test('a policy with many variables is checked in linear time', async (t) => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
  ]
  const variables = listOf(15_000, (index) => ({ name: `a${index}`, expression: 'authorizer' }))
  const expression = `${listOf(100, () => 'variables.a14999').join(' == ')} == 1`
  const validations = listOf(100, () => ({ expression }))
  const spec = { matchConstraints: { resourceRules }, variables, validations }
  const began = process.cpuUsage()
  await send('POST', path, { metadata, spec })
  const { user } = process.cpuUsage(began)
  t.ok(user < 3_000_000, `${user / 1000} ms`)
})

void t.test('a list of CAP_SYS_ADMIN is refused once', async (t) => {
  const containerWith = (length: number) => {
    const add = listOf(length, () => 'CAP_SYS_ADMIN')
    const securityContext = { allowPrivilegeEscalation: false, capabilities: { add } }
    return { containers: [{ name: 'a', image: 'a', securityContext }] }
  }
  t.equal((await createPod(containerWith(3))).causes.length, 3)
  const { status, message } = await createPod(containerWith(30_000))
  t.equal(status, 422)
  t.ok(message.length < 1_000_000)
})

void t.test('many unknown resource claims are refused', async (t) => {
  const resourceClaims = listOf(20_000, (index) => ({ name: `c${index}`, resourceClaimName: 'a' }))
  const claims = listOf(20_000, (index) => ({ name: `u${index}` }))
  const answer = await createPod({
    containers: [{ name: 'a', image: 'a', resources: { claims } }],
    resourceClaims,
  })
  t.equal(answer.status, 422)
  t.match(answer.message, 'Not found: "u0": must be one of the names in pod.spec.resourceClaims: c0, c1, c10')
  t.ok(answer.causes.length < 100)
})

void t.test('a resource claim is used as a whole or by its requests', async (t) => {
  const claims = [{ name: 'c', request: 'a' }, { name: 'c', request: 'b' }, { name: 'c' }, { name: 'c' }]
  const answer = await createPod({
    containers: [{ name: 'a', image: 'a', resources: { claims } }],
    resourceClaims: [{ name: 'c', resourceClaimName: 'a' }],
  })
  const path = 'spec.containers[0].resources.claims'
  const text = [`${path}[2]: Duplicate value: "c"`, `${path}[3]: Duplicate value: "c"`].join(', ')
  t.match(answer.message, `is invalid: [${text}]`)
  t.equal(answer.causes.length, 3)
})

void t.test('the names of long lists are compared in linear time', async (t) => {
  const containers = listOf(60_000, (index) => ({ name: `a${index}`, image: 'b' }))
  t.equal((await createPod({ containers: [...containers, containers[0]] })).status, 422)
  const ports = listOf(100_000, (index) => ({ name: `a${index}`, port: index + 1 }))
  t.equal((await send('POST', `${core}/services`, { metadata, spec: { ports } })).status, 422)
})

void t.test('the order of a long list in a patch is compared in linear time', async (t) => {
  await send('POST', `${core}/configmaps`, { metadata })
  const finalizers = listOf(100_000, (index) => `f${index}`)
  const patch = { metadata: { finalizers, '$setElementOrder/finalizers': finalizers } }
  const type = 'application/strategic-merge-patch+json'
  t.equal((await send('PATCH', `${core}/configmaps/long`, patch, type)).status, 422)
})

void t.test('an Ingress with many rules is shown in linear time', async (t) => {
  const path = '/apis/networking.k8s.io/v1/namespaces/default/ingresses'
  const rules = [{ host: 'a' }, { host: 'b' }, ...listOf(200_000, () => ({}))]
  t.equal((await send('POST', path, { metadata, spec: { rules } })).status, 201)
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
  t.equal((await server.handle({ method: 'GET', path, headers })).status, 200)
})
