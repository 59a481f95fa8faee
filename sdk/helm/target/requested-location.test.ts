// Tests which location of a release an object asks for.
import t from 'tap'
import { type LocationRules, possibleNamespaces, requestedLocation } from './requested-location.js'
import { TargetError } from './target-error.js'

const resource = { group: 'example.com', kind: 'Greeting' }
const object = { metadata: { namespace: 'team', name: 'hello' }, spec: { name: 'x' } }
const rules: LocationRules = { resource, cluster: 'main', clusters: ['main'] }
const ofPlugin: LocationRules = {
  resource,
  cluster: 'virtual',
  clusters: ['virtual', 'host'],
  host: { vcluster: 'vc', namespace: 'vcluster-vc' },
}
const at = (options: Partial<LocationRules>, base = rules) => {
  const { cluster, namespace, name } = requestedLocation({ ...base, ...options }, object)
  return `${cluster} ${namespace}/${name}`
}
/** The reason and the sentence of a refusal. */
const refused = (options: Partial<LocationRules>, base = rules) => {
  try {
    return at(options, base)
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return `${error.reason}: ${error.message}`
  }
}

void t.test('without functions it is that of the options', (t) => {
  t.equal(at({}), 'main team/hello')
  t.equal(at({ targetNamespace: 'apps' }), 'main apps/hello')
  t.match(at({ releaseName: 'name-hash' }), /^main team\/hello-[0-9a-f]{8}$/)
  t.equal(at({ clusters: ['host'] }, ofPlugin), 'host vcluster-vc/hello-x-team-x-vc-helm')
  t.end()
})

void t.test('functions choose the cluster, the namespace and the name', (t) => {
  t.equal(at({ releaseName: ({ metadata }) => `mc-${metadata.name}` }), 'main team/mc-hello')
  t.equal(at({ target: () => ({ releaseName: 'a.b-1' }), releaseName: () => 'unused' }), 'main team/a.b-1')
  t.equal(at({ target: () => ({}) }, ofPlugin), 'virtual team/hello', 'the cluster of the objects')
  t.equal(at({ target: () => ({}), clusters: ['host'] }, ofPlugin), 'host vcluster-vc/hello-x-team-x-vc-helm')
  t.equal(at({ target: () => ({ cluster: 'host', releaseName: 'db' }) }, ofPlugin), 'host vcluster-vc/db')
  const allow = { namespaces: ['stage'] }
  t.equal(at({ allow, target: () => ({ namespace: 'stage' }) }), 'main stage/hello')
  t.equal(at({ target: () => ({ namespace: 'team' }) }), 'main team/hello', 'the default is always allowed')
  const target = () => ({ cluster: 'host', namespace: 'stage', releaseName: 'a' })
  t.equal(at({ allow, target }, ofPlugin), 'host stage/a')
  t.end()
})

void t.test('an answer that cannot be used is refused with a sentence', (t) => {
  const named = (name: unknown) => refused({ releaseName: () => name as string })
  const rule =
    'which Helm does not accept: use at most 53 lower-case letters, digits, "-" and ".", beginning and ending with a letter or digit'
  t.equal(named('Über'), `InvalidTarget: releaseName answered the name "Über", ${rule}`)
  t.equal(named(''), `InvalidTarget: releaseName answered the name "", ${rule}`)
  t.equal(named(undefined), `InvalidTarget: releaseName answered the name undefined, ${rule}`)
  t.equal(named('../x'), `InvalidTarget: releaseName answered the name "../x", ${rule}`)
  t.equal(
    named('a'.repeat(54)),
    `InvalidTarget: releaseName answered the name "${'a'.repeat(54)}" of 54 characters, ${rule}`,
  )
  t.equal(named('a'.repeat(53)), `main team/${'a'.repeat(53)}`)
  t.match(named('a'.repeat(5_000)), /^InvalidTarget: .{200,320}$/, 'a long text is cut')
  t.match(named(Promise.resolve('a')), /releaseName answered a promise; it has to answer at once/)
  const target = (answer: unknown, base = rules) => refused({ target: () => answer as never }, base)
  t.match(target(Promise.resolve({})), /target answered a promise/)
  for (const answer of [undefined, null, 'host', ['host']])
    t.match(target(answer), /^InvalidTarget: target answered .*: answer an object such as/)
  t.equal(
    target({ side: 'host' }),
    'InvalidTarget: target answered the member "side": the members are cluster, namespace, releaseName',
  )
  t.match(target({ namespace: 7 }), /target answered the namespace 7: answer a text, or leave it out/)
  t.equal(
    target({ cluster: 'host' }),
    'InvalidTarget: target answered the cluster "host": answer one of main, or add it to targets',
  )
  t.match(
    target({ namespace: 'Team A' }),
    /^InvalidTarget: target answered the namespace "Team A": use at most 63/,
  )
  t.equal(
    target({ cluster: 'host', namespace: 'kube-system' }, ofPlugin),
    'NotAllowed: target answered the namespace "kube-system" of the cluster host, and the release may be in vcluster-vc: ' +
      'change the fields of the object that the function reads, or add the namespace to allow.namespaces',
  )
  const elsewhere = { ...rules, clusters: ['main', 'far'] }
  t.equal(
    target({ cluster: 'far' }, elsewhere),
    'InvalidTarget: target answered no namespace of the cluster far: answer one, or set targetNamespace',
  )
  t.end()
})

void t.test('a function that throws is refused with its message', (t) => {
  const target = ({ spec }: never) => ({ releaseName: (spec as { a: { b: string } }).a.b })
  t.equal(
    refused({ target: target as never }),
    "InvalidTarget: target failed: Cannot read properties of undefined (reading 'b'); correct the function, or the fields of the object " +
      'that it reads',
  )
  t.end()
})

void t.test('a release is searched for in the namespaces that functions may answer', (t) => {
  const allow = { namespaces: ['stage', 'team'] }
  t.strictSame(possibleNamespaces({ ...rules, allow }, 'main', object), ['team'])
  t.strictSame(possibleNamespaces({ ...rules, allow, target: () => ({}) }, 'main', object), ['team', 'stage'])
  t.strictSame(possibleNamespaces({ ...ofPlugin, target: () => ({}) }, 'host', object), ['vcluster-vc'])
  t.end()
})
