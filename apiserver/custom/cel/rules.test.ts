// Tests rules beyond the conformance cases, which also run on a real server.
import t from 'tap'
import type { Rule, Schema } from '../../schema/structural-schema.js'
import { ruleTree } from './rule-tree.js'
import { validateRules } from './validate-rules.js'

const text: Schema = { type: 'string' }
const integer: Schema = { type: 'integer' }
const row: Schema = { type: 'object', properties: { k: text, v: integer } }
const properties: Readonly<Record<string, Schema>> = {
  seats: integer,
  missing: text,
  ratio: { type: 'number' },
  tags: { type: 'array', items: text },
  perhaps: { type: 'array', items: { type: 'string', nullable: true } },
  rows: { type: 'array', items: row, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
  labels: { type: 'object', additionalProperties: integer },
  inner: { type: 'object', properties: { x: text } },
  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
}
const object = {
  seats: 3,
  ratio: 2,
  tags: ['a', 'b'],
  perhaps: ['a', null],
  rows: [
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
  ],
  labels: { a: 1 },
  inner: {},
  open: { x: 1 },
}

/** The result of a rule for the object: none, the error, or the error of an invalid rule. */
function told(rule: string | Rule, value: Readonly<Record<string, unknown>> = object): string | undefined {
  const rules = [typeof rule === 'string' ? { rule } : rule]
  const node = ruleTree({ type: 'object', properties, 'x-kubernetes-validations': rules })
  if (node === undefined) throw new Error('the schema has a rule')
  const problem = node.rules[0]?.problem
  if (problem !== undefined) return problem
  return validateRules(node, value, undefined)
    .map(({ message }) => message)
    .join()
}

void t.test('the rules of equal schemas are compiled once, and those of others again', async (t) => {
  const treeOf = (rule: string) =>
    ruleTree({ type: 'object', properties, 'x-kubernetes-validations': [{ rule }] })
  const tree = treeOf('self.ratio > 1')
  t.ok(tree)
  t.equal(treeOf('self.ratio > 1'), tree)
  t.not(treeOf('self.ratio > 2'), tree)
})

const trueRules = [
  'self.ratio == 2.0 && self.ratio > 1 && self.seats in [3]',
  'self.?missing.orValue("none") == "none" && optional.of(1) == optional.of(1)',
  'self.perhaps.exists(p, p == null) && self.labels.all(k, k == "a") && self.labels == {"a": 1}',
  'self.rows == [self.rows[1], self.rows[0]] && self.inner == self.inner && self.inner != null',
  '(self.rows + [self.rows[0]]).size() == 2 && self.rows.map(r, r.v).sum() == 3',
  'self.tags.all(i, t, t != "" && i < 2) && self.labels.exists(k, v, v == 1) && self.tags.existsOne(i, t, i == 0)',
  'self.tags.transformList(i, t, t + "!") == ["a!", "b!"] && self.tags.transformList(i, t, i > 0, t) == ["b"]',
  '[[1], [2]].flatten() == [1, 2] && [1, 2, 3].slice(0, 2) == [1, 2] && [1].first().value() == 1',
  '"%s: %d, %.2f, %e, %b, %x, %X, %o, %%".format([dyn("a"), 1, 1.5, 1500.0, 5, 255, 255, 8]) == "a: 1, 1.50, 1.500000×10⁰³, 101, ff, FF, 10, %"',
  '"%s".format([["a", "b"]]) == "[a, b]" && "aaa".replace("a", "b", 2) == "bba"',
  'quantity("1Ki").asInteger() == 1024 && quantity("1.5").asApproximateFloat() == 1.5 && !quantity("0.1").isInteger()',
  'quantity("1n").compareTo(quantity("0")) == 1 && quantity("1").sub(quantity("1e3")).isLessThan(quantity("-1"))',
  'ip("fe80::1").isLinkLocalUnicast() && ip("127.0.0.1").isLoopback() && !ip("ff02::1").isGlobalUnicast()',
  'ip("ff02::1").isLinkLocalMulticast() && ip("::").isUnspecified() && !isIP("::ffff:1.2.3.4") && !isIP("fe80::1%eth0")',
  'cidr("2001:db8::/32").containsCIDR("2001:db8:1::/48") && cidr("10.0.0.0/8").prefixLength() == 8 && !isCIDR("10.0.0.0/33")',
  'string(cidr("2001:db8::1/32").masked().ip()) == "2001:db8::" && cidr("0.0.0.0/0").containsIP(ip("1.2.3.4"))',
  'url("https://u@e.com:80/a%20b?c=d&c=e#f").getQuery()["c"] == ["d", "e"] && url("/a").getScheme() == ""',
  'semver("1.0.0-rc.2").isLessThan(semver("1.0.0-rc.10")) && semver("v1.02", true).minor() == 2 && semver("1.2.3").major() == 1',
  'format.labelValue().validate("-").hasValue() && !format.dns1123LabelPrefix().validate("a-").hasValue()',
  'has(self.rows[0].k) && self.rows.all(r, has(r.k)) && !has({"a": 1}.b) && has(self.labels.a) && !has(self.labels.b)',
  'optional.ofNonZeroValue(0) == optional.none() && optional.of(1).optMap(x, x + 1).value() == 2',
  'self.labels.transformMap(k, v, v + 1) == {"a": 2} && self.labels.transformMapEntry(k, v, {k + "b": v}) == {"ab": 1}',
  'sets.contains([{"a": 1}], [{"a": 1}]) && [{"a": 1}, {"a": 1}].distinct().size() == 1',
  'string(duration("90s")) == "90s" && string(timestamp("2020-01-01T00:00:00Z")) == "2020-01-01T00:00:00Z"',
  '[duration("1s"), duration("2s")].sum() == duration("3s") && !isURL("https://a:b:c/")',
  '!has(self.missing) && (self.missing == "x" || true)',
] as const

void t.test('rules have the language and the functions of Kubernetes', async (t) => {
  for (const rule of trueRules) t.equal(told(rule), '', rule)
})

void t.test('errors of invalid rules have the text of a real compiler', async (t) => {
  const at = (rule: string) => told(rule)?.split('\n')[0]
  const failed = 'compilation failed: ERROR: <input>:'
  t.equal(at('self.rows.all(r, has(r.w))'), `${failed}1:23: undefined field 'w'`)
  t.equal(at('self.open.x == 1'), `${failed}1:10: undefined field 'x'`, 'undeclared fields cannot be used')
  t.equal(
    at('self.tags == self.seats'),
    `${failed}1:11: found no matching overload for '_==_' applied to '(list(string), int)'`,
  )
  t.equal(
    at('size(self.seats) == 1'),
    `${failed}1:5: found no matching overload for 'size' applied to '(int)'`,
  )
  t.match(at('"a".matches("(")'), /invalid matches argument/)
})

void t.test('a rule whose evaluation fails is reported, together with other errors', async (t) => {
  const crash = (text: string, rule: string) => `Invalid value: "object": ${text} evaluating rule: ${rule}`
  for (const [rule, text] of [
    ['self.missing == "a"', 'no such key: missing'],
    ['[1].slice(0, 2) == []', 'cannot slice(0, 2), list is length 1'],
    ['quantity("x") == quantity("1")', /quantities must match/],
    ['url("a b").getHost() == ""', /URL parse error/],
    ['ip("x").family() == 4', /IP Address "x" parse error/],
  ] as const) {
    const found = told(rule)
    if (typeof text === 'string') t.equal(found, crash(text, rule))
    else t.match(found, text)
  }
})

void t.test('an empty, too long or multi-line message is replaced by the rule', async (t) => {
  for (const messageExpression of ['"  "', '"a\\nb"', 'self.missing', `"${'x'.repeat(6000)}"`]) {
    t.equal(told({ rule: 'false', messageExpression }), 'Invalid value: failed rule: false')
  }
  t.equal(told({ rule: 'false', messageExpression: '" told "' }), 'Invalid value: told')
})
