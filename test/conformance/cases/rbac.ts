import type { CaseGroup } from '../case.js'
import type { CallOptions, CaseClient } from '../case-client.js'

const rbacPage = 'https://kubernetes.io/docs/reference/access-authn-authz/rbac/'
const escalation = `${rbacPage}#privilege-escalation-prevention-and-bootstrapping`
const authorization = 'https://kubernetes.io/docs/reference/access-authn-authz/authorization/'
const errors = 'k8s.io/apiserver pkg/endpoints/handlers/responsewriters/errors.go @ v0.36.3'

const rbacGroup = 'rbac.authorization.k8s.io'
const authorizationGroup = 'authorization.k8s.io'

const as = (user: string): CallOptions => ({ headers: { 'impersonate-user': user } })

const onUser = (name: string) => [{ kind: 'User', apiGroup: rbacGroup, name }]

/** Grants these rules to a user in the case's namespace, and waits until they are in effect. */
async function grant(
  { make, post, until }: CaseClient,
  user: string,
  rules: readonly object[],
): Promise<void> {
  await make('roles', {
    metadata: { name: user },
    rules: [...rules, { apiGroups: ['probe'], resources: [user], verbs: ['get'] }],
  })
  const roleRef = { apiGroup: rbacGroup, kind: 'Role', name: user }
  const { metadata } = await make('rolebindings', {
    metadata: { name: user },
    roleRef,
    subjects: onUser(user),
  })
  const resourceAttributes = { namespace: metadata.namespace, verb: 'get', group: 'probe', resource: user }
  await until('the binding is in effect', async () => {
    const { body } = await post('selfsubjectaccessreviews', { spec: { resourceAttributes } }, as(user))
    return (body.status as { allowed: boolean }).allowed
  })
}

const rule = (group: string, resource: string, ...verbs: string[]) => ({
  apiGroups: [group],
  resources: [resource],
  verbs,
})

/** Reads as a user, and expects these statuses. */
async function readsAs(
  { get, expect }: CaseClient,
  user: string,
  statuses: Readonly<Record<string, number>>,
): Promise<void> {
  for (const [reference, status] of Object.entries(statuses)) {
    expect.same([reference, (await get(reference, as(user))).status], [reference, status])
  }
}

/** Authorization by RBAC. */
export const rbac: CaseGroup = {
  name: 'rbac',
  cases: [
    {
      name: 'a selected name counts for a list and a watch, but not for the delete of a collection',
      source: 'k8s.io/apiserver pkg/endpoints/request/requestinfo.go @ v0.36.3',
      async run(client) {
        const verbs = ['list', 'watch', 'deletecollection']
        await grant(client, 'namer', [{ ...rule('', 'configmaps', ...verbs), resourceNames: ['a', '..'] }])
        const named = (name: string) => `configmaps?fieldSelector=metadata.name%3D${name}`
        const timed = '&watch=true&timeoutSeconds=1'
        client.expect.answer(await client.get(named('a'), as('namer')), 200)
        client.expect.same((await client.get(`${named('a')}${timed}`, as('namer'))).status, 200)
        client.expect.same((await client.get(named('..'), as('namer'))).status, 403)
        const watchPath = `/api/v1/watch/namespaces/${client.namespace}/${named('a')}`
        client.expect.same((await client.get(`${watchPath}&timeoutSeconds=1`, as('namer'))).status, 403)
        client.expect.same((await client.delete(named('a'), undefined, as('namer'))).status, 403)
      },
    },
    {
      name: 'a forbidden request is rejected with user, verb, resource and place',
      source: errors,
      async run({ get, put, delete: remove, expect, namespace }) {
        const place = `in the namespace "${namespace}"`
        const message = async (answer: ReturnType<typeof get>) => (await answer).body.message
        expect.refused(await get('configmaps/x', as('alice')), {
          code: 403,
          reason: 'Forbidden',
          message: `configmaps "x" is forbidden: User "alice" cannot get resource "configmaps" in API group "" ${place}`,
          details: { name: 'x', kind: 'configmaps' },
        })
        expect.refused(await put('deployments/x/status', {}, as('alice')), {
          code: 403,
          reason: 'Forbidden',
          message: `deployments.apps "x" is forbidden: User "alice" cannot update resource "deployments/status" in API group "apps" ${place}`,
          details: { name: 'x', group: 'apps', kind: 'deployments' },
        })
        expect.same(
          await message(get('/api/v1/configmaps', as('alice'))),
          'configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" at the cluster scope',
        )
        expect.same(
          await message(get('configmaps?watch=true', as('alice'))),
          `configmaps is forbidden: User "alice" cannot watch resource "configmaps" in API group "" ${place}`,
        )
        expect.same(
          await message(remove('configmaps', undefined, as('alice'))),
          `configmaps is forbidden: User "alice" cannot deletecollection resource "configmaps" in API group "" ${place}`,
        )
        expect.same(
          await message(get('/api/v1/namespaces/x', as('alice'))),
          'namespaces "x" is forbidden: User "alice" cannot get resource "namespaces" in API group "" in the namespace "x"',
        )
      },
    },
    {
      name: 'only authorized users learn whether a resource exists',
      source: errors,
      async run({ get, expect }) {
        expect.refused(await get('/apis/nothing.io/v1/things', as('alice')), {
          code: 403,
          reason: 'Forbidden',
          message:
            'things.nothing.io is forbidden: User "alice" cannot list resource "things" in API group "nothing.io" at the cluster scope',
          details: { group: 'nothing.io', kind: 'things' },
        })
      },
    },
    {
      name: 'every authenticated user may read discovery',
      source: `${rbacPage}#discovery-roles`,
      async run({ get, expect }) {
        expect.answer(await get('/api', as('alice')), 200)
        expect.answer(await get('/apis/apps/v1', as('alice')), 200)
        expect.answer(await get('/metrics', as('alice')), 403, {
          message: 'forbidden: User "alice" cannot get path "/metrics"',
        })
      },
    },
    {
      name: 'get, list and watch are separate verbs',
      source: `${rbacPage}#referring-to-resources`,
      async run(client) {
        await grant(client, 'reader', [rule('', 'configmaps', 'list')])
        await readsAs(client, 'reader', {
          configmaps: 200,
          'configmaps/x': 403,
          'configmaps?watch=true&timeoutSeconds=1': 403,
          secrets: 403,
        })
      },
    },
    {
      name: 'a rule with names allows only those objects, and lists of one of them',
      source: `${rbacPage}#referring-to-resources`,
      async run(client) {
        await client.make('configmaps', { metadata: { name: 'one' } })
        const named = { ...rule('', 'configmaps', 'get', 'list'), resourceNames: ['one'] }
        await grant(client, 'namer', [named])
        await readsAs(client, 'namer', {
          'configmaps/one': 200,
          'configmaps/two': 403,
          configmaps: 403,
          'configmaps?fieldSelector=metadata.name%3Done': 200,
        })
      },
    },
    {
      name: 'a subresource is a separate resource, and */name means that of any resource',
      source: `${rbacPage}#referring-to-resources`,
      async run(client) {
        await grant(client, 'scaler', [rule('apps', '*/scale', 'get'), rule('', 'pods/status', 'get')])
        await readsAs(client, 'scaler', {
          'deployments/x/scale': 404,
          'statefulsets/x/scale': 404,
          'deployments/x': 403,
          'pods/x/status': 404,
          'pods/x': 403,
        })
      },
    },
    {
      name: 'a star means every verb, group or resource',
      source: `${rbacPage}#referring-to-resources`,
      async run(client) {
        const { post, expect } = client
        await grant(client, 'owner', [rule('*', '*', '*')])
        expect.answer(await post('configmaps', { metadata: { name: 'a' } }, as('owner')), 201)
        await readsAs(client, 'owner', { deployments: 200, '/api/v1/configmaps': 403, '/api/v1/nodes': 403 })
      },
    },
    {
      name: 'a RoleBinding to a ClusterRole applies in its namespace, also for groups and service accounts',
      source: `${rbacPage}#rolebinding-and-clusterrolebinding`,
      async run({ make, get, until, expect, namespace }) {
        const rules = [rule('', 'configmaps', 'list')]
        await make('clusterroles', { metadata: { name: namespace }, rules })
        await make('rolebindings', {
          metadata: { name: 'all' },
          roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: namespace },
          subjects: [
            { kind: 'Group', apiGroup: rbacGroup, name: `${namespace}-group` },
            { kind: 'ServiceAccount', name: 'robot' },
          ],
        })
        const member = { headers: { 'impersonate-user': 'm', 'impersonate-group': `${namespace}-group` } }
        await until('the binding is in effect', async () => (await get('configmaps', member)).status === 200)
        expect.answer(await get('configmaps', as(`system:serviceaccount:${namespace}:robot`)), 200)
        expect.answer(await get('configmaps', as('system:serviceaccount:default:robot')), 403)
        expect.answer(await get('/api/v1/configmaps', member), 403)
      },
    },
    {
      name: 'a ClusterRoleBinding applies everywhere, including paths',
      source: `${rbacPage}#rolebinding-and-clusterrolebinding`,
      async run({ make, get, until, expect, namespace }) {
        const user = `${namespace}-user`
        const rules = [rule('', 'configmaps', 'list'), { nonResourceURLs: ['/custom/*'], verbs: ['get'] }]
        await make('clusterroles', { metadata: { name: namespace }, rules })
        const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name: namespace }
        await make('clusterrolebindings', { metadata: { name: namespace }, roleRef, subjects: onUser(user) })
        await until(
          'the binding is in effect',
          async () => (await get('/api/v1/configmaps', as(user))).status === 200,
        )
        expect.answer(await get('/custom/a/b', as(user)), 404)
        expect.answer(await get('/other', as(user)), 403)
      },
    },
    {
      name: 'the error names a binding whose role is missing',
      source: 'k8s.io/kubernetes plugin/pkg/auth/authorizer/rbac/rbac.go @ v1.36.3',
      async run({ make, get, until, namespace }) {
        const roleRef = { apiGroup: rbacGroup, kind: 'Role', name: 'lost' }
        await make('rolebindings', { metadata: { name: 'b' }, roleRef, subjects: onUser('loser') })
        const expected = `pods is forbidden: User "loser" cannot list resource "pods" in API group "" in the namespace "${namespace}": RBAC: role.rbac.authorization.k8s.io "lost" not found`
        await until('the error names it', async () => {
          return (await get('pods', as('loser'))).body.message === expected
        })
      },
    },
    {
      name: 'a user cannot grant permissions that the user does not have',
      source: escalation,
      async run(client) {
        const { post, expect } = client
        await grant(client, 'climber', [
          rule(rbacGroup, 'roles', 'create'),
          rule('', 'configmaps', 'get', 'list'),
        ])
        const rules = [
          {
            apiGroups: ['', 'apps'],
            resources: ['configmaps', 'deployments/status'],
            verbs: ['get', 'watch'],
          },
        ]
        expect.refused(await post('roles', { metadata: { name: 'up' }, rules }, as('climber')), {
          code: 403,
          reason: 'Forbidden',
          message: `roles.${rbacGroup} "up" is forbidden: user "climber" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:
{APIGroups:[""], Resources:["configmaps"], Verbs:["watch"]}
{APIGroups:[""], Resources:["deployments/status"], Verbs:["get" "watch"]}
{APIGroups:["apps"], Resources:["configmaps"], Verbs:["get" "watch"]}
{APIGroups:["apps"], Resources:["deployments/status"], Verbs:["get" "watch"]}`,
          details: { name: 'up', group: rbacGroup, kind: 'roles' },
        })
        const held = [{ ...rule('', 'configmaps', 'get'), resourceNames: ['a'] }]
        expect.answer(await post('roles', { metadata: { name: 'same' }, rules: held }, as('climber')), 201)
      },
    },
    {
      name: 'escalation is checked for updates and patches of a Role, too',
      source: escalation,
      async run(client) {
        const { patch, expect, make } = client
        await make('roles', { metadata: { name: 'small' }, rules: [] })
        await grant(client, 'patcher', [rule(rbacGroup, 'roles', 'patch', 'update')])
        const body = { rules: [rule('', 'secrets', 'get')] }
        expect.answer(await patch('roles/small', 'merge', body, as('patcher')), 403, {
          message: `roles.${rbacGroup} "small" is forbidden: user "patcher" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`,
        })
      },
    },
    {
      name: 'a write that changes only finalizers, owners and managed fields is not checked for escalation',
      source: 'k8s.io/kubernetes pkg/registry/rbac/helpers.go @ v1.36.3',
      async run(client) {
        await grant(client, 'keeper', [rule(rbacGroup, 'roles', 'update', 'patch')])
        const finalizers = ['x.example/a', 'x.example/b']
        const rules = [rule('', 'secrets', 'get')]
        const { metadata } = await client.make('roles', { metadata: { name: 'held', finalizers }, rules })
        const { managedFields: _managed, ...bare } = metadata
        const body = { metadata: { ...bare, finalizers: ['x.example/a'] }, rules }
        client.expect.answer(await client.put('roles/held', body, as('keeper')), 200)
        const applied = {
          apiVersion: `${rbacGroup}/v1`,
          kind: 'Role',
          metadata: { name: 'held', finalizers: ['x.example/c'] },
        }
        const answer = await client.patch('roles/held?fieldManager=m', 'apply', applied, as('keeper'))
        client.expect.answer(answer, 200)
        await client.patch('roles/held', 'merge', { metadata: { finalizers: null } })
      },
    },
    {
      name: 'the verb escalate allows granting any permissions',
      source: escalation,
      async run(client) {
        await grant(client, 'escalator', [rule(rbacGroup, 'roles', 'create', 'escalate')])
        const body = { metadata: { name: 'up' }, rules: [rule('', 'secrets', 'get')] }
        client.expect.answer(await client.post('roles', body, as('escalator')), 201)
      },
    },
    {
      name: 'a user cannot bind a role with more permissions, except with the verb bind',
      source: escalation,
      async run(client) {
        const { post, expect, make } = client
        await make('roles', { metadata: { name: 'strong' }, rules: [rule('', 'secrets', 'get')] })
        const binding = (name: string, role: object) => {
          return { metadata: { name }, roleRef: { apiGroup: rbacGroup, ...role }, subjects: [] }
        }
        const strong = { kind: 'Role', name: 'strong' }
        await grant(client, 'binder', [
          rule(rbacGroup, 'rolebindings', 'create'),
          { ...rule(rbacGroup, 'clusterroles', 'bind'), resourceNames: ['view'] },
        ])
        expect.refused(await post('rolebindings', binding('b', strong), as('binder')), {
          code: 403,
          reason: 'Forbidden',
          message: `rolebindings.${rbacGroup} "b" is forbidden: user "binder" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`,
          details: { name: 'b', group: rbacGroup, kind: 'rolebindings' },
        })
        const view = { kind: 'ClusterRole', name: 'view' }
        expect.answer(await post('rolebindings', binding('v', view), as('binder')), 201)
        const lost = { kind: 'Role', name: 'lost' }
        expect.answer(await post('rolebindings', binding('l', lost), as('binder')), 404, {
          message: `rolebindings.${rbacGroup} "lost" not found`,
        })
      },
    },
    {
      name: 'an aggregated ClusterRole has the rules of the selected ones',
      source: `${rbacPage}#aggregated-clusterroles`,
      needs: 'controller-manager',
      async run({ make, read, until, delete: remove, namespace }) {
        const matchLabels = { [namespace]: 'yes' }
        await make('clusterroles', {
          metadata: { name: namespace },
          aggregationRule: { clusterRoleSelectors: [{ matchLabels }] },
        })
        const rulesAre = (rules: unknown) => async () => {
          return JSON.stringify((await read(`clusterroles/${namespace}`)).rules) === JSON.stringify(rules)
        }
        const given = { verbs: ['get'], apiGroups: ['x'], resources: ['y'] }
        await make('clusterroles', {
          metadata: { name: `${namespace}-a`, labels: matchLabels },
          rules: [given],
        })
        await until('the rules are added', rulesAre([given]))
        await remove(`clusterroles/${namespace}-a`)
        await until('the rules are removed', rulesAre(null))
      },
    },
    {
      name: 'admin includes edit, and edit includes view',
      source: `${rbacPage}#user-facing-roles`,
      needs: 'controller-manager',
      async run({ make, get, post, until, expect, namespace }) {
        const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name: 'admin' }
        await make('rolebindings', { metadata: { name: 'boss' }, roleRef, subjects: onUser('boss') })
        await until('the binding is in effect', async () => (await get('pods', as('boss'))).status === 200)
        expect.answer(await post('configmaps', { metadata: { name: 'a' } }, as('boss')), 201)
        expect.answer(await get('roles', as('boss')), 200)
        expect.answer(await get('/api/v1/nodes', as('boss')), 403)
        expect.answer(await get(`/api/v1/namespaces/${namespace}`, as('boss')), 200)
      },
    },
    {
      name: 'a SelfSubjectAccessReview returns whether the caller is allowed, and by which binding',
      source: `${authorization}#checking-api-access`,
      async run(client) {
        const { post, expect, namespace } = client
        await grant(client, 'asker', [rule('', 'pods', 'get')])
        const ask = async (verb: string) => {
          const resourceAttributes = { namespace, verb, resource: 'pods' }
          const answer = await post('selfsubjectaccessreviews', { spec: { resourceAttributes } }, as('asker'))
          expect.answer(answer, 201, { spec: { resourceAttributes } })
          return answer.body.status
        }
        expect.same(await ask('get'), {
          allowed: true,
          reason: `RBAC: allowed by RoleBinding "asker/${namespace}" of Role "asker" to User "asker"`,
        })
        expect.same(await ask('list'), { allowed: false })
      },
    },
    {
      name: 'a SelfSubjectAccessReview may be for a path',
      source: `${authorization}#checking-api-access`,
      async run({ post, expect }) {
        const nonResourceAttributes = { path: '/healthz', verb: 'get' }
        const answer = await post(
          'selfsubjectaccessreviews',
          { spec: { nonResourceAttributes } },
          as('alice'),
        )
        expect.has(answer.body.status, {
          allowed: true,
          reason: /^RBAC: allowed by ClusterRoleBinding "system:/,
        })
      },
    },
    {
      name: 'an access review has one set of attributes, and a user or group if it is about others',
      source: 'k8s.io/kubernetes pkg/apis/authorization/validation @ v1.36.3',
      async run({ post, expect }) {
        const about = { code: 422, reason: 'Invalid' }
        const refusal = (field: string, message: string) => ({
          ...about,
          message: `.${authorizationGroup} "" is invalid: ${field}: ${message}`,
          details: { group: authorizationGroup, causes: [{ reason: 'FieldValueInvalid', message, field }] },
        })
        expect.refused(
          await post('selfsubjectaccessreviews', { spec: {} }),
          refusal(
            'spec.resourceAttributes',
            'Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
          ),
        )
        const path = { path: '/healthz', verb: 'get' }
        const both = { resourceAttributes: { verb: 'get', resource: 'pods' }, nonResourceAttributes: path }
        expect.refused(
          await post('selfsubjectaccessreviews', { spec: both }),
          refusal(
            'spec.nonResourceAttributes',
            'Invalid value: {"Path":"/healthz","Verb":"get"}: cannot be specified in combination with resourceAttributes',
          ),
        )
        expect.refused(
          await post('subjectaccessreviews', { spec: { nonResourceAttributes: path } }),
          refusal('spec.user', 'Invalid value: "": at least one of user or group must be specified'),
        )
      },
    },
    {
      name: 'a SubjectAccessReview returns whether another user is allowed',
      source: `${authorization}#checking-api-access`,
      async run({ post, expect }) {
        const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'default' }
        const ask = async (who: object) => {
          return (await post('subjectaccessreviews', { spec: { ...who, resourceAttributes } })).body.status
        }
        expect.same(await ask({ user: 'bob' }), { allowed: false })
        expect.same(await ask({ user: 'bob', groups: ['system:masters'] }), { allowed: true })
      },
    },
    {
      name: 'a LocalSubjectAccessReview is for its own namespace only',
      source: 'k8s.io/kubernetes pkg/apis/authorization/validation @ v1.36.3',
      async run({ post, expect, namespace }) {
        const ask = (place: string) => {
          const resourceAttributes = { verb: 'get', resource: 'pods', namespace: place }
          return post('localsubjectaccessreviews', { spec: { user: 'bob', resourceAttributes } })
        }
        expect.answer(await ask(namespace), 201, { metadata: { namespace }, status: { allowed: false } })
        expect.answer(await ask('other'), 422, {
          message: `.${authorizationGroup} "" is invalid: spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace`,
        })
      },
    },
    {
      name: 'a SelfSubjectRulesReview returns all permissions of the caller in a namespace',
      source: `${authorization}#checking-api-access`,
      async run(client) {
        const { post, expect, namespace } = client
        const named = { ...rule('', 'configmaps', 'get'), resourceNames: ['a'] }
        await grant(client, 'lister', [named])
        const answer = await post('selfsubjectrulesreviews', { spec: { namespace } }, as('lister'))
        expect.answer(answer, 201, { spec: {}, status: { incomplete: false } })
        const { resourceRules, nonResourceRules } = answer.body.status as Record<string, object[]>
        const has = (rules: object[] = [], wanted: object) => {
          return rules.some((each) => JSON.stringify(each) === JSON.stringify(wanted))
        }
        const { verbs, apiGroups, resources, resourceNames } = named
        expect.ok(
          has(resourceRules, { verbs, apiGroups, resources, resourceNames }),
          'the rule of the Role is included',
        )
        const own = ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']
        const basic = { verbs: ['create'], apiGroups: [authorizationGroup], resources: own }
        expect.ok(has(resourceRules, basic), 'the rules for all users are included')
        const urls = ['/healthz', '/livez', '/readyz', '/version', '/version/']
        expect.ok(has(nonResourceRules, { verbs: ['get'], nonResourceURLs: urls }), 'paths are included')
      },
    },
    {
      name: 'a SelfSubjectRulesReview needs a namespace',
      source: `${authorization}#checking-api-access`,
      async run({ post, expect }) {
        expect.answer(await post('selfsubjectrulesreviews', { spec: {} }), 400, {
          message: 'no namespace on request',
        })
      },
    },
    {
      name: 'a Role needs verbs, groups and resources, and must not have paths',
      source: 'k8s.io/kubernetes pkg/apis/rbac/validation @ v1.36.3',
      async run({ post, expect }) {
        const rules = [
          { apiGroups: [''], resources: ['secrets'], verbs: [] },
          { nonResourceURLs: ['/x'], verbs: ['get'] },
          { verbs: ['get'] },
        ]
        expect.invalid(await post('roles', { metadata: { name: 'bad' }, rules }), {
          kind: 'Role',
          group: rbacGroup,
          name: 'bad',
          because: [
            'rules[0].verbs: Required value: verbs must contain at least one value',
            'rules[1].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
            'rules[2].apiGroups: Required value: resource rules must supply at least one api group',
            'rules[2].resources: Required value: resource rules must supply at least one resource',
          ],
        })
      },
    },
    {
      name: 'a binding needs a role and valid subjects, and its role is immutable',
      source: 'k8s.io/kubernetes pkg/apis/rbac/validation @ v1.36.3',
      async run({ post, put, make, expect }) {
        const bad = { roleRef: { kind: 'Foo' }, subjects: [{ kind: 'User' }, { kind: 'Bar', name: 'x' }] }
        expect.answer(await post('rolebindings', { metadata: { name: 'bad' }, ...bad }), 422, {
          message: `RoleBinding.${rbacGroup} "bad" is invalid: [roleRef.kind: Unsupported value: "Foo": supported values: "Role", "ClusterRole", roleRef.name: Required value, subjects[0].name: Required value, subjects[1].kind: Unsupported value: "Bar": supported values: "ServiceAccount", "User", "Group"]`,
        })
        const roleRef = { kind: 'Role', name: 'a' }
        const made = await make('rolebindings', {
          metadata: { name: 'good' },
          roleRef,
          subjects: [
            { kind: 'User', name: 'u' },
            { kind: 'ServiceAccount', name: 's' },
          ],
        })
        expect.same(made.roleRef, { apiGroup: rbacGroup, kind: 'Role', name: 'a' })
        expect.same(made.subjects, [
          { kind: 'User', apiGroup: rbacGroup, name: 'u' },
          { kind: 'ServiceAccount', name: 's' },
        ])
        const other = { metadata: { name: 'good' }, roleRef: { kind: 'Role', name: 'b' } }
        expect.answer(await put('rolebindings/good', other), 422, {
          message: `RoleBinding.${rbacGroup} "good" is invalid: roleRef: Invalid value: {"APIGroup":"${rbacGroup}","Kind":"Role","Name":"b"}: cannot change roleRef`,
        })
      },
    },
  ],
}
