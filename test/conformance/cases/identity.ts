import type { CaseGroup } from '../case.js'
import type { CallOptions, CaseClient } from '../case-client.js'

const authentication = 'https://kubernetes.io/docs/reference/access-authn-authz/authentication/'
const impersonation = `${authentication}#user-impersonation`
const tokenRequest =
  'https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-request-v1/'
const serviceAccounts = 'k8s.io/kubernetes pkg/serviceaccount @ v1.36.3'

const issuer = 'https://kubernetes.default.svc.cluster.local'
const emptyTokenRequest = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' }

const bearing = (token: string): CallOptions => ({
  asAdministrator: false,
  headers: { authorization: `Bearer ${token}` },
})

/** Requests a token for a new service account. */
async function tokenOf({ make, post, expect }: CaseClient, name: string, spec: object = {}): Promise<string> {
  await make('serviceaccounts', { metadata: { name } })
  const answer = await post(`serviceaccounts/${name}/token`, { ...emptyTokenRequest, spec })
  expect.answer(answer, 201)
  return String((answer.body.status as { token: string }).token)
}

function claimsOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
}

const whoAmI = ({ post }: CaseClient, options: CallOptions) => post('selfsubjectreviews', {}, options)

const unauthorized = { code: 401, reason: 'Unauthorized', message: 'Unauthorized' }

/** The identity of a caller. */
export const identity: CaseGroup = {
  name: 'identity',
  cases: [
    {
      name: 'a caller without credentials is anonymous, and has no permissions',
      source: `${authentication}#anonymous-requests`,
      async run({ get, expect, namespace }) {
        expect.refused(await get('configmaps', { asAdministrator: false }), {
          code: 403,
          reason: 'Forbidden',
          message: `configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`,
          details: { kind: 'configmaps' },
        })
      },
    },
    {
      name: 'anonymous callers may read the health of the server',
      source: `${authentication}#anonymous-requests`,
      async run({ get, expect }) {
        expect.answer(await get('/healthz', { asAdministrator: false }), 200)
        expect.answer(await get('/version', { asAdministrator: false }), 200)
      },
    },
    {
      name: 'a forbidden path is rejected before the server checks that it exists',
      source: `${authentication}#anonymous-requests`,
      async run({ get, expect }) {
        expect.refused(await get('/no/such/path', { asAdministrator: false }), {
          code: 403,
          reason: 'Forbidden',
          message: 'forbidden: User "system:anonymous" cannot get path "/no/such/path"',
          details: {},
        })
      },
    },
    {
      name: "'an invalid token is rejected, even if no token is needed",
      source: `${authentication}#putting-a-bearer-token-in-a-request`,
      async run({ get, expect }) {
        expect.refused(await get('configmaps', bearing('nonsense')), unauthorized)
        expect.refused(await get('/healthz', bearing('nonsense')), unauthorized)
      },
    },
    {
      name: 'the administrator has the groups of the certificate and system:authenticated',
      source: `${authentication}#x509-client-certificates`,
      async run(client) {
        const answer = await whoAmI(client, {})
        const userInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] }
        client.expect.answer(answer, 201, { kind: 'SelfSubjectReview', status: { userInfo } })
      },
    },
    {
      name: 'a token contains its owner, audience and lifetime',
      source: tokenRequest,
      async run(client) {
        const token = await tokenOf(client, 'robot')
        const { namespace } = client
        const { metadata } = await client.read('serviceaccounts/robot')
        const claims = claimsOf(token) as { exp: number; iat: number; jti: string }
        client.expect.has(claims, {
          aud: [issuer],
          iss: issuer,
          sub: `system:serviceaccount:${namespace}:robot`,
          jti: /^[0-9a-f-]{36}$/,
          'kubernetes.io': { namespace, serviceaccount: { name: 'robot', uid: metadata.uid } },
        })
        client.expect.same(claims.exp - claims.iat, 3600)
      },
    },
    {
      name: 'a TokenRequest is returned with its defaults',
      source: tokenRequest,
      async run({ make, post, expect, namespace }) {
        const { metadata } = await make('serviceaccounts', { metadata: { name: 'robot' } })
        const spec = { audiences: ['vault'], expirationSeconds: 600 }
        expect.answer(await post('serviceaccounts/robot/token', { ...emptyTokenRequest, spec }), 201, {
          ...emptyTokenRequest,
          metadata: { name: 'robot', namespace, uid: metadata.uid, creationTimestamp: /^\d{4}-/ },
          spec: { ...spec, boundObjectRef: null },
          status: { token: /^[\w-]+\.[\w-]+\.[\w-]+$/, expirationTimestamp: /^\d{4}-/ },
        })
      },
    },
    {
      name: 'a token authenticates its bearer as the service account',
      source: `${authentication}#service-account-tokens`,
      async run(client) {
        const token = await tokenOf(client, 'robot')
        const { namespace } = client
        const { metadata } = await client.read('serviceaccounts/robot')
        const { jti } = claimsOf(token) as { jti: string }
        client.expect.answer(await whoAmI(client, bearing(token)), 201, {
          status: {
            userInfo: {
              username: `system:serviceaccount:${namespace}:robot`,
              uid: metadata.uid,
              groups: [
                'system:serviceaccounts',
                `system:serviceaccounts:${namespace}`,
                'system:authenticated',
              ],
              extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${jti}`] },
            },
          },
        })
      },
    },
    {
      name: 'a token for another audience is rejected',
      source: tokenRequest,
      async run(client) {
        const token = await tokenOf(client, 'robot', { audiences: ['vault'] })
        client.expect.refused(await whoAmI(client, bearing(token)), unauthorized)
      },
    },
    {
      name: 'a token becomes invalid when its service account is deleted',
      source: serviceAccounts,
      async run(client) {
        const token = await tokenOf(client, 'robot')
        client.expect.answer(await whoAmI(client, bearing(token)), 201)
        await client.delete('serviceaccounts/robot')
        const gone = 'the token is invalid'
        await client.until(gone, async () => (await whoAmI(client, bearing(token))).status === 401)
      },
    },
    {
      name: 'a token bound to a Secret becomes invalid when the Secret is deleted',
      source: tokenRequest,
      async run(client) {
        const { metadata } = await client.make('secrets', { metadata: { name: 'tie' } })
        const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: 'tie', uid: metadata.uid }
        const token = await tokenOf(client, 'robot', { boundObjectRef })
        client.expect.has(claimsOf(token), {
          'kubernetes.io': { secret: { name: 'tie', uid: metadata.uid } },
        })
        client.expect.answer(await whoAmI(client, bearing(token)), 201)
        await client.delete('secrets/tie')
        const gone = 'the token is invalid'
        await client.until(gone, async () => (await whoAmI(client, bearing(token))).status === 401)
      },
    },
    {
      name: 'a token can be bound only to certain kinds',
      source: tokenRequest,
      async run({ make, post, expect }) {
        await make('serviceaccounts', { metadata: { name: 'robot' } })
        const bind = (boundObjectRef: object) =>
          post('serviceaccounts/robot/token', { ...emptyTokenRequest, spec: { boundObjectRef } })
        expect.refused(await bind({ kind: 'ConfigMap', apiVersion: 'v1', name: 'x' }), {
          code: 400,
          reason: 'BadRequest',
          message: 'cannot bind token to object of type /v1, Kind=ConfigMap',
        })
        expect.refused(await bind({ kind: 'Pod', apiVersion: 'v1', name: 'x' }), {
          code: 404,
          reason: 'NotFound',
          message: 'pods "x" not found',
          details: { name: 'x', kind: 'pods' },
        })
        await make('secrets', { metadata: { name: 'tie' } })
        expect.answer(await bind({ kind: 'Secret', apiVersion: 'v1', name: 'tie', uid: 'other' }), 409, {
          message:
            'Operation cannot be fulfilled on Secret "tie": the UID in the bound object reference (other) does not match the UID in record. The object might have been deleted and then recreated',
        })
      },
    },
    {
      name: 'the lifetime of a token is between ten minutes and 2^32 seconds',
      source: 'k8s.io/kubernetes pkg/apis/authentication/validation @ v1.36.3',
      async run({ make, post, expect }) {
        await make('serviceaccounts', { metadata: { name: 'robot' } })
        const ask = (expirationSeconds: number) =>
          post('serviceaccounts/robot/token', { ...emptyTokenRequest, spec: { expirationSeconds } })
        const about = { kind: 'TokenRequest', group: 'authentication.k8s.io', name: '' }
        expect.invalid(await ask(60), {
          ...about,
          because: [
            'spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
          ],
        })
        expect.invalid(await ask(9999999999), {
          ...about,
          because: [
            'spec.expirationSeconds: Invalid value: 9999999999: may not specify a duration larger than 2^32 seconds',
          ],
        })
      },
    },
    {
      name: 'a TokenRequest with another name than that of its path is rejected',
      source: tokenRequest,
      async run({ make, post, expect }) {
        await make('serviceaccounts', { metadata: { name: 'robot' } })
        const body = { ...emptyTokenRequest, metadata: { name: 'other' } }
        expect.invalid(await post('serviceaccounts/robot/token', body), {
          kind: 'TokenRequest',
          group: 'authentication.k8s.io',
          name: 'robot',
          because: [
            'metadata.name: Invalid value: "other": must match the service account name if specified',
          ],
        })
      },
    },
    {
      name: 'a missing service account has no token',
      source: tokenRequest,
      async run({ post, expect }) {
        expect.answer(await post('serviceaccounts/missing/token', emptyTokenRequest), 404, {
          message: 'serviceaccounts "missing" not found',
        })
      },
    },
    {
      name: 'a TokenReview returns the owner of a token',
      source: `${authentication}#webhook-token-authentication`,
      async run(client) {
        const token = await tokenOf(client, 'robot')
        const review = await client.post('tokenreviews', { spec: { token } })
        client.expect.answer(review, 201, {
          spec: { token },
          status: {
            authenticated: true,
            user: { username: `system:serviceaccount:${client.namespace}:robot` },
            audiences: [issuer],
            error: undefined,
          },
        })
      },
    },
    {
      name: "'a TokenReview returns the reason why a token is invalid",
      source: 'k8s.io/kubernetes pkg/registry/authentication/tokenreview @ v1.36.3',
      async run(client) {
        const { post, expect } = client
        const token = await tokenOf(client, 'robot')
        const status = async (spec: object) => (await post('tokenreviews', { spec })).body.status
        expect.same(await status({ token: 'nonsense' }), { user: {}, error: 'invalid bearer token' })
        expect.same(await status({ token, audiences: ['vault'] }), {
          user: {},
          error: `[invalid bearer token, token audiences ["${issuer}"] is invalid for the target audiences ["vault"]]`,
        })
        expect.answer(await post('tokenreviews', { spec: {} }), 400, {
          message: 'token is required for TokenReview in authentication',
        })
      },
    },
    {
      name: 'a token Secret gets a token, which is valid until the Secret is deleted',
      source: 'https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets',
      needs: 'controller-manager',
      async run(client) {
        const { make, read, until, expect, namespace } = client
        const { metadata } = await make('serviceaccounts', { metadata: { name: 'robot' } })
        const annotations = { 'kubernetes.io/service-account.name': 'robot' }
        await make('secrets', {
          metadata: { name: 'robot-token', annotations },
          type: 'kubernetes.io/service-account-token',
        })
        const dataOf = async () => ((await read('secrets/robot-token')).data ?? {}) as { token?: string }
        await until('the Secret holds a token', async () => (await dataOf()).token !== undefined)
        expect.has(await read('secrets/robot-token'), {
          metadata: { annotations: { 'kubernetes.io/service-account.uid': metadata.uid } },
          data: { 'ca.crt': /./, namespace: Buffer.from(namespace).toString('base64') },
        })
        const token = Buffer.from((await dataOf()).token ?? '', 'base64').toString('utf8')
        expect.has(claimsOf(token), {
          iss: 'kubernetes/serviceaccount',
          sub: `system:serviceaccount:${namespace}:robot`,
          'kubernetes.io/serviceaccount/namespace': namespace,
          'kubernetes.io/serviceaccount/secret.name': 'robot-token',
          'kubernetes.io/serviceaccount/service-account.name': 'robot',
          'kubernetes.io/serviceaccount/service-account.uid': metadata.uid,
        })
        expect.answer(await whoAmI(client, bearing(token)), 201)
        await client.delete('secrets/robot-token')
        const gone = 'the token is invalid'
        await until(gone, async () => (await whoAmI(client, bearing(token))).status === 401)
      },
    },
    {
      name: 'a token Secret is deleted with its service account',
      source: 'https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets',
      needs: 'controller-manager',
      async run({ make, get, until, delete: remove }) {
        await make('serviceaccounts', { metadata: { name: 'robot' } })
        const annotations = { 'kubernetes.io/service-account.name': 'robot' }
        const type = 'kubernetes.io/service-account-token'
        await make('secrets', { metadata: { name: 'robot-token', annotations }, type })
        const secret = async () => get('secrets/robot-token')
        await until('it has a token', async () => (await secret()).body.data !== undefined)
        await remove('serviceaccounts/robot')
        await until('the Secret is deleted', async () => (await secret()).status === 404)
      },
    },
    {
      name: 'an impersonated user is in system:authenticated',
      source: impersonation,
      async run(client) {
        const answer = await whoAmI(client, { headers: { 'impersonate-user': 'alice' } })
        const userInfo = { username: 'alice', groups: ['system:authenticated'] }
        client.expect.answer(answer, 201)
        client.expect.same(answer.body.status, { userInfo })
      },
    },
    {
      name: 'an impersonated user has the requested group, uid and extras',
      source: impersonation,
      async run(client) {
        const headers = {
          'impersonate-user': 'alice',
          'impersonate-group': 'dev',
          'impersonate-uid': 'u-1',
          'impersonate-extra-acme.com%2fproject': 'x',
        }
        const answer = await whoAmI(client, { headers })
        client.expect.same(answer.body.status, {
          userInfo: {
            username: 'alice',
            uid: 'u-1',
            groups: ['dev', 'system:authenticated'],
            extra: { 'acme.com/project': ['x'] },
          },
        })
      },
    },
    {
      name: 'an impersonated service account has its groups',
      source: impersonation,
      async run(client) {
        const username = 'system:serviceaccount:default:builder'
        const answer = await whoAmI(client, { headers: { 'impersonate-user': username } })
        const groups = ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated']
        client.expect.same(answer.body.status, { userInfo: { username, groups } })
      },
    },
    {
      name: 'a group cannot be impersonated without a user',
      source: impersonation,
      async run(client) {
        const answer = await whoAmI(client, { headers: { 'impersonate-group': 'dev' } })
        client.expect.refused(answer, {
          code: 400,
          reason: 'BadRequest',
          message:
            'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"dev"}, Extra:map[string][]string(nil)} without impersonating a user name',
        })
      },
    },
    {
      name: 'a forbidden impersonation is rejected with the error of the first mode',
      source: 'https://kep.k8s.io/5284',
      async run(client) {
        const token = await tokenOf(client, 'robot')
        const { namespace, expect } = client
        const robot = `User "system:serviceaccount:${namespace}:robot"`
        const tryAs = (headers: Record<string, string>) => {
          const options = bearing(token)
          return whoAmI(client, { ...options, headers: { ...options.headers, ...headers } })
        }
        const reviews = 'selfsubjectreviews.authentication.k8s.io is forbidden'
        const end = 'resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope'
        expect.answer(await tryAs({ 'impersonate-user': 'alice' }), 403, {
          message: `${reviews}: ${robot} cannot impersonate-on:user-info:create ${end}`,
        })
        const builder = 'system:serviceaccount:default:builder'
        expect.answer(await tryAs({ 'impersonate-user': builder }), 403, {
          message: `${reviews}: ${robot} cannot impersonate-on:serviceaccount:create ${end}`,
        })
        expect.answer(await tryAs({ 'impersonate-user': 'system:node:n1' }), 403, {
          message: `${reviews}: ${robot} cannot impersonate-on:arbitrary-node:create ${end}`,
        })
        expect.answer(await tryAs({ 'impersonate-user': builder, 'impersonate-group': 'dev' }), 403, {
          message: `serviceaccounts "builder" is forbidden: ${robot} cannot impersonate resource "serviceaccounts" in API group "" in the namespace "default"`,
        })
      },
    },
    {
      name: 'a user who may impersonate one user cannot impersonate others',
      source: impersonation,
      async run(client) {
        const { make, namespace, until, expect } = client
        const token = await tokenOf(client, 'robot')
        const rules = [
          { apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['alice'] },
        ]
        const apiGroup = 'rbac.authorization.k8s.io'
        await make('clusterroles', { metadata: { name: namespace }, rules })
        await make('clusterrolebindings', {
          metadata: { name: namespace },
          roleRef: { apiGroup, kind: 'ClusterRole', name: namespace },
          subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace }],
        })
        const tryAs = (user: string) => {
          const options = bearing(token)
          return whoAmI(client, { ...options, headers: { ...options.headers, 'impersonate-user': user } })
        }
        await until('the binding is in effect', async () => (await tryAs('alice')).status === 201)
        expect.answer(await tryAs('bob'), 403)
      },
    },
  ],
}
