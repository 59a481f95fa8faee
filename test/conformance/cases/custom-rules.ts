import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { define, definitionOf } from '../custom-resource.js'

const source = 'KEP-2876; Kubernetes documentation, CustomResourceDefinitions, "Validation rules"'
const library = 'Kubernetes documentation, "Common Expression Language in Kubernetes"'
const ratcheting = 'KEP-4008, CRD validation ratcheting'

/** Bounded, because a real server rejects rules whose estimated cost is too high. */
const text = { type: 'string', maxLength: 20 }
const integer = { type: 'integer' }

/** A rule, as an expression or with all its members. */
type Rule = string | Readonly<Record<string, unknown>>

const rulesOf = (rules: readonly Rule[]) => rules.map((rule) => (typeof rule === 'string' ? { rule } : rule))

/** A schema of `spec` with rules. */
function specWith(properties: Readonly<Record<string, object>>, ...rules: readonly Rule[]): object {
  return { type: 'object', properties, 'x-kubernetes-validations': rulesOf(rules) }
}

interface Judged {
  readonly name: string
  readonly source?: string
  readonly schema: object
  readonly spec: unknown
  /** The expected errors; empty for a valid object. */
  readonly because?: readonly string[]
}

/** Validates one object by rules. */
function judges({ name, source: from = source, schema, spec, because = [] }: Judged): Case {
  return {
    name,
    source: from,
    async run(client) {
      const cars = await define(client, { spec: schema })
      const answer = await cars.create('x', { spec })
      if (because.length === 0) client.expect.answer(answer, 201)
      else client.expect.invalid(answer, { kind: 'Car', group: cars.group, name: 'x', because })
    },
  }
}

interface Refused {
  readonly name: string
  readonly schema: object
  /** The field and the reason of each cause; texts of the compiler are matched by patterns. */
  readonly because: readonly (readonly [field: string, message: RegExp | string])[]
}

const specPath = 'spec.validation.openAPIV3Schema.properties[spec]'

/** A definition that is rejected because of its rules. */
function refusesDefinition({ name, schema, because }: Refused): Case {
  return {
    name,
    source,
    async run(client) {
      const answer = await client.post('customresourcedefinitions', definitionOf(client, { spec: schema }))
      const causes = because.map(([field, message]) => ({ field, message }))
      client.expect.answer(answer, 422, { reason: 'Invalid', details: { causes } })
    },
  }
}

/** Rules that must hold for an object with these fields. */
function holds(name: string, ...rules: readonly string[]): Case {
  const properties = { tags: { type: 'array', items: text, maxItems: 5 }, seats: integer, name: text }
  return judges({
    name,
    source: library,
    schema: specWith(properties, ...rules),
    spec: { tags: ['a', 'b'], seats: 3, name: 'n1' },
  })
}

const twice = async (client: CaseClient, schema: object, ...specs: readonly [object, object]) => {
  const cars = await define(client, { spec: schema })
  await cars.make('x', { spec: specs[0] })
  return { cars, answer: await cars.patch('x', { spec: specs[1] }) }
}

/** The errors of `x-kubernetes-validations`. */
export const customRules: CaseGroup = {
  name: 'custom-rules',
  cases: [
    judges({
      name: 'optionals, durations, times and the types of Kubernetes can be compared with null',
      schema: specWith(
        {
          a: text,
          o: { type: 'object', properties: { x: text } },
          d: { type: 'string', format: 'duration' },
          t: { type: 'string', format: 'date-time' },
        },
        'self.?a != null && null != self.?o && self.?o.x != null',
        'self.d != null && self.t != null && null != self.o',
        'url("http://a") != null && quantity("1") != null && ip("1.2.3.4") != null && semver("1.0.0") != null',
        'timestamp("2020-01-01T00:00:00Z") != null && duration("1s") != null',
        { rule: 'self.?a == null', message: 'an optional is not null' },
      ),
      spec: { a: 'x', o: { x: 'y' }, d: '1s', t: '2020-01-01T00:00:00Z' },
      because: ['spec: Invalid value: an optional is not null'],
    }),
    judges({
      name: 'the error of an object contains the failed rule',
      schema: specWith({ seats: integer, max: integer }, 'self.seats <= self.max'),
      spec: { seats: 3, max: 2 },
      because: ['spec: Invalid value: failed rule: self.seats <= self.max'],
    }),
    judges({
      name: 'a pattern of a rule takes linear time',
      source: library,
      schema: specWith(
        { a: { type: 'string', maxLength: 1000 } },
        `!self.a.matches('^(a+)+$')`,
        `!matches(self.a, '^(a|aa)+$')`,
        `self.a.find('^(a|a)*$') == ''`,
        `self.a.findAll('(a*)*!').size() == 1`,
      ),
      spec: { a: `${'a'.repeat(999)}!` },
    }),
    judges({
      name: 'a message replaces the rule in the error',
      schema: specWith({ seats: integer }, { rule: 'self.seats < 3', message: 'too many seats' }),
      spec: { seats: 3 },
      because: ['spec: Invalid value: too many seats'],
    }),
    judges({
      name: 'a message expression may use the value',
      schema: specWith(
        { seats: integer, a: text },
        { rule: 'self.seats < 3', messageExpression: "self.a + ' has too many'" },
      ),
      spec: { seats: 3, a: 'car' },
      because: ['spec: Invalid value: car has too many'],
    }),
    judges({
      name: 'a failing message expression is replaced by the message',
      schema: specWith(
        { seats: integer, names: { type: 'array', items: text } },
        { rule: 'self.seats < 3', message: 'too many', messageExpression: 'self.names[7]' },
      ),
      spec: { seats: 3, names: [] },
      because: ['spec: Invalid value: too many'],
    }),
    judges({
      name: 'the error of a rule for a scalar contains its value',
      schema: {
        type: 'object',
        properties: { a: { ...integer, 'x-kubernetes-validations': [{ rule: 'self > 1' }] } },
      },
      spec: { a: 1 },
      because: ['spec.a: Invalid value: 1: failed rule: self > 1'],
    }),
    judges({
      name: 'a rule has a reason and names a field',
      schema: specWith(
        { a: text, b: text },
        { rule: 'has(self.a)', message: 'say a', reason: 'FieldValueRequired', fieldPath: '.a' },
        { rule: 'self.b != "x"', message: 'not x', reason: 'FieldValueForbidden', fieldPath: '.b' },
      ),
      spec: { b: 'x' },
      because: ['spec.a: Required value: say a', 'spec.b: Forbidden: not x'],
    }),
    judges({
      name: 'a rule can report a duplicate',
      schema: specWith(
        { a: text },
        { rule: 'self.a == "x"', reason: 'FieldValueDuplicate', message: 'twice' },
      ),
      spec: { a: 'y' },
      because: ['spec: Duplicate value'],
    }),
    judges({
      name: 'a rule whose evaluation fails is an error',
      schema: specWith({ m: { type: 'object', additionalProperties: integer } }, 'self.m["a"] > 1'),
      spec: { m: {} },
      because: ['spec: Invalid value: "object": no such key: a evaluating rule: self.m["a"] > 1'],
    }),
    judges({
      name: 'evaluation stops at an index out of bounds, a division by zero or an overflow',
      schema: specWith(
        { list: { type: 'array', items: integer }, zero: integer, large: integer },
        'self.list[2] == 1',
        '1 / self.zero == 1',
        '1 % self.zero == 1',
        'self.large + 1 > 0',
      ),
      spec: { list: [1], zero: 0, large: 9_223_372_036_854_775_807n },
      because: [
        'spec: Invalid value: "object": index out of bounds: 2 evaluating rule: self.list[2] == 1',
        'spec: Invalid value: "object": division by zero evaluating rule: 1 / self.zero == 1',
        'spec: Invalid value: "object": modulus by zero evaluating rule: 1 % self.zero == 1',
        'spec: Invalid value: "object": integer overflow evaluating rule: self.large + 1 > 0',
      ],
    }),
    judges({
      name: 'an int-or-string has the functions of its actual type',
      schema: specWith({ port: { 'x-kubernetes-int-or-string': true } }, 'self.port.startsWith("a")'),
      spec: { port: 80 },
      because: [
        'spec: Invalid value: "object": \'no such overload\': call arguments did not match a supported operator, function or macro signature for rule: self.port.startsWith("a")',
      ],
    }),
    judges({
      name: 'a rule can check the type of an int-or-string',
      schema: specWith(
        { port: { 'x-kubernetes-int-or-string': true } },
        'type(self.port) == int ? self.port < 100 : self.port.endsWith("%")',
      ),
      spec: { port: '5%' },
    }),
    judges({
      name: 'errors name elements and members',
      schema: {
        type: 'object',
        properties: {
          rows: { type: 'array', items: specWith({ a: integer }, 'self.a > 1') },
          m: {
            type: 'object',
            additionalProperties: { ...integer, 'x-kubernetes-validations': [{ rule: 'self > 1' }] },
          },
        },
      },
      spec: { rows: [{ a: 2 }, { a: 1 }] },
      because: ['spec.rows[1]: Invalid value: failed rule: self.a > 1'],
    }),
    judges({
      name: 'errors name members of a map by their keys',
      schema: {
        type: 'object',
        additionalProperties: { ...integer, 'x-kubernetes-validations': [{ rule: 'self > 1' }] },
      },
      spec: { 'a.b': 1 },
      because: ['spec[a.b]: Invalid value: 1: failed rule: self > 1'],
    }),
    judges({
      name: 'rules are not evaluated for a value with schema errors',
      schema: specWith({ a: integer }, 'self.a > 1'),
      spec: { a: 'many' },
      because: [
        'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ],
    }),
    judges({
      name: 'rules are evaluated for a value that only fails a pattern',
      schema: specWith({ a: { type: 'string', pattern: '^b' } }, 'self.a.size() > 1'),
      spec: { a: 'a' },
      because: [
        'spec.a: Invalid value: "a": spec.a in body should match \'^b\'',
        'spec: Invalid value: failed rule: self.a.size() > 1',
      ],
    }),
    judges({
      name: 'property names that are not identifiers are escaped',
      schema: specWith(
        { 'a-b': text, 'a.b': text, 'a/b': text, namespace: text, a__b: text },
        'self.a__dash__b == "1" && self.a__dot__b == "2" && self.a__slash__b == "3"',
        'self.__namespace__ == "4" && self.namespace == "4" && self.a__underscores__b == "5"',
      ),
      spec: { 'a-b': '1', 'a.b': '2', 'a/b': '3', namespace: '4', a__b: '5' },
    }),
    judges({
      name: 'the order of a set is ignored, and that of another list is not',
      schema: specWith(
        {
          set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
          list: { type: 'array', items: text },
        },
        'self.set == ["b", "a"] && self.list != ["b", "a"]',
        'self.set + ["c", "a"] == ["a", "b", "c"] && (self.list + ["a"]).size() == 3',
      ),
      spec: { set: ['a', 'b'], list: ['a', 'b'] },
    }),
    judges({
      name: 'an empty list can be compared',
      schema: specWith(
        { set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } },
        'self.set != []',
      ),
      spec: { set: [] },
      because: ['spec: Invalid value: failed rule: self.set != []'],
    }),
    judges({
      name: 'strings with a format have the type of the format',
      schema: specWith(
        {
          when: { type: 'string', format: 'date-time' },
          long: { type: 'string', format: 'duration' },
          bytes: { type: 'string', format: 'byte' },
        },
        'self.when.getFullYear() == 2021 && self.when > timestamp("2020-01-01T00:00:00Z")',
        'self.long < duration("2h") && self.bytes == b"hi"',
      ),
      spec: { when: '2021-05-05T00:00:00Z', long: '1h30m', bytes: 'aGk=' },
    }),
    judges({
      name: 'a field that is null counts as missing',
      schema: specWith({ a: { ...text, nullable: true } }, '!has(self.a)'),
      spec: { a: null },
    }),
    judges({
      name: 'an error on one side of an or is ignored if the other side is true',
      schema: specWith({ m: { type: 'object', additionalProperties: integer } }, 'self.m["a"] > 1 || true'),
      spec: { m: {} },
    }),
    holds(
      'macros',
      'self.tags.all(t, t.size() == 1) && self.tags.exists(t, t == "a") && self.tags.exists_one(t, t == "a")',
      'self.tags.map(t, t + "!") == ["a!", "b!"] && self.tags.filter(t, t != "a") == ["b"]',
      'self.tags.transformMap(i, t, i + 1) == {0: 1, 1: 2} || has(self.tags) && optional.of(1).optMap(x, x + 1).value() == 2',
      'self.tags.all(i, t, i < 2 && t != "") && has(self.name) && !has(self.tags) == false',
    ),
    holds(
      'functions for strings',
      'self.name.charAt(0) == "n" && self.name.replace("n", "m") == "m1" && "a,b".split(",") == self.tags',
      'self.tags.join("-") == "a-b" && self.name.upperAscii() == "N1" && self.name.indexOf("1") == 1',
      'self.name.matches("^n[0-9]$") && self.name.matches("(?i)^N") && "%d of %s".format([dyn(1), dyn("a")]) == "1 of a"',
      'self.name.find("[0-9]") == "1" && "a1b2".findAll("[0-9]") == ["1", "2"] && strings.quote("a") == "\\"a\\""',
    ),
    holds(
      'functions for lists and sets',
      '[1, 2].sum() == 3 && [1.5, 2.5].max() == 2.5 && [2, 1].min() == 1 && [1, 2].isSorted()',
      'self.tags.indexOf("b") == 1 && [1, 2, 1].lastIndexOf(1) == 2 && self.tags.indexOf("x") == -1',
      'sets.contains(self.tags, ["a"]) && sets.equivalent(["b", "a"], self.tags) && !sets.intersects(self.tags, ["x"])',
      '[3, 1].sort() == [1, 3] && [1, 1].distinct() == [1] && lists.range(2) == [0, 1] && [1, 2].reverse() == [2, 1]',
    ),
    holds(
      'functions for quantities and versions',
      'quantity("1.5Gi").isGreaterThan(quantity("1G")) && quantity("50k").add(20).asInteger() == 50020',
      'isQuantity("100m") && !isQuantity("x") && sign(quantity("-1")) == -1 && quantity("1k") == quantity("1000")',
      'semver("1.2.3").isLessThan(semver("1.10.0")) && isSemver("1.2.3-rc.1") && !isSemver("1.2")',
    ),
    holds(
      'functions for URLs and addresses',
      'url("https://e.com:80/a?b=c").getHost() == "e.com:80" && url("https://e.com/a").getEscapedPath() == "/a"',
      'isURL("/a") && !isURL("a b") && url("https://[::1]:80/").getHostname() == "::1"',
      'ip("10.0.0.1").family() == 4 && isIP("::1") && ip.isCanonical("::1") && !ip.isCanonical("::0001")',
      'cidr("10.0.0.0/8").containsIP("10.1.2.3") && string(cidr("10.1.1.1/8").masked()) == "10.0.0.0/8"',
      '!format.dns1123Label().validate("a").hasValue() && format.named("uuid").hasValue()',
    ),
    {
      name: 'a rule of the whole resource can use its name and kind',
      source,
      async run(client) {
        const rule = 'self.metadata.name.startsWith("car-") && self.kind == "Car"'
        const openAPIV3Schema = { type: 'object', 'x-kubernetes-validations': [{ rule }] }
        const only = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }
        const cars = await define(client, { versions: [only] })
        const because = [`<nil>: Invalid value: failed rule: ${rule}`]
        client.expect.answer(await cars.create('car-1', {}), 201)
        client.expect.invalid(await cars.create('x', {}), {
          kind: 'Car',
          group: cars.group,
          name: 'x',
          because,
        })
      },
    },
    {
      name: 'a transition rule compares with the old value, and is skipped on create',
      source,
      async run(client) {
        const schema = specWith({ a: integer, b: text }, 'self.a >= oldSelf.a')
        const { cars, answer } = await twice(client, schema, { a: 2 }, { a: 1 })
        const because = ['spec: Invalid value: failed rule: self.a >= oldSelf.a']
        client.expect.invalid(answer, { kind: 'Car', group: cars.group, name: 'x', because })
        client.expect.answer(await cars.patch('x', { spec: { a: 3 } }), 200)
      },
    },
    {
      name: 'a transition rule with an optional old value is evaluated on create',
      source: 'KEP-4008, optionalOldSelf',
      async run(client) {
        const rule = 'oldSelf.hasValue() ? self.a == oldSelf.value().a : self.a == 1'
        const schema = specWith({ a: integer }, { rule, optionalOldSelf: true, message: 'fixed' })
        const cars = await define(client, { spec: schema })
        client.expect.answer(await cars.create('y', { spec: { a: 2 } }), 422)
        await cars.make('x', { spec: { a: 1 } })
        const because = ['spec: Invalid value: fixed']
        const answer = await cars.patch('x', { spec: { a: 2 } })
        client.expect.invalid(answer, { kind: 'Car', group: cars.group, name: 'x', because })
      },
    },
    {
      name: 'elements of a map list are compared with their old values',
      source,
      async run(client) {
        const items = { ...specWith({ k: text, v: integer }, 'self.v >= oldSelf.v'), required: ['k'] }
        const types = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }
        const schema = { type: 'object', properties: { rows: { type: 'array', items, ...types } } }
        const before = {
          rows: [
            { k: 'a', v: 1 },
            { k: 'b', v: 2 },
          ],
        }
        const after = {
          rows: [
            { k: 'b', v: 1 },
            { k: 'a', v: 1 },
            { k: 'c', v: 0 },
          ],
        }
        const { cars, answer } = await twice(client, schema, before, after)
        const because = ['spec.rows[0]: Invalid value: failed rule: self.v >= oldSelf.v']
        client.expect.invalid(answer, { kind: 'Car', group: cars.group, name: 'x', because })
      },
    },
    {
      name: 'rules are evaluated for a write to the status, too',
      source: 'k8s.io/apiextensions-apiserver pkg/registry/customresource/status_strategy.go @ v0.36.3',
      async run(client) {
        const cars = await define(client, {
          spec: { type: 'object', properties: { a: integer } },
          properties: { status: specWith({ a: integer }, 'self.a > 1') },
          version: { subresources: { status: {} } },
        })
        await cars.make('x', { spec: {} })
        const answer = await client.patch(`${cars.path('x')}/status`, 'merge', { status: { a: 1 } })
        const because = ['status: Invalid value: failed rule: self.a > 1']
        client.expect.invalid(answer, { kind: 'Car', group: cars.group, name: 'x', because })
      },
    },
    {
      name: 'an existing value that fails a new rule may stay until it changes',
      source: ratcheting,
      async run(client) {
        const schemaWith = (a: object) => ({ type: 'object', properties: { a, b: text } })
        const cars = await define(client, { spec: schemaWith(text) })
        await cars.make('x', { spec: { a: 'long' } })
        const spec = schemaWith({ ...text, 'x-kubernetes-validations': [{ rule: 'self.size() < 3' }] })
        const openAPIV3Schema = { type: 'object', properties: { spec } }
        const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }]
        await client.patch(`customresourcedefinitions/${cars.definition}`, 'merge', { spec: { versions } })
        await client.until('the new rule is in effect', async () => {
          const { status } = await cars.create('y', { spec: { a: 'long' } })
          return status === 422
        })
        client.expect.answer(await cars.patch('x', { spec: { b: 'new' } }), 200)
        client.expect.answer(await cars.patch('x', { spec: { a: 'longer' } }), 422)
      },
    },
    refusesDefinition({
      name: 'a rule can use declared fields only',
      schema: specWith({ a: integer }, 'self.b > 1', 'has(self.c)'),
      because: [
        [
          `${specPath}.x-kubernetes-validations[0].rule`,
          /compilation failed: ERROR: <input>:1:5: undefined field 'b'\n \| self\.b > 1\n \| \.{4}\^$/,
        ],
        [
          `${specPath}.x-kubernetes-validations[1].rule`,
          /^Invalid value: .*compilation failed: .*undefined field 'c'/s,
        ],
      ],
    }),
    refusesDefinition({
      name: 'a rule must be a boolean expression with known functions and matching types',
      schema: specWith(
        { a: integer },
        'self.a >',
        'nothing(self.a)',
        'self.a == "x"',
        'self.a + 1',
        'other.a == 1',
      ),
      because: [
        [
          `${specPath}.x-kubernetes-validations[0].rule`,
          /compilation failed: ERROR: <input>:1:9: Syntax error: /,
        ],
        [
          `${specPath}.x-kubernetes-validations[1].rule`,
          /undeclared reference to 'nothing' \(in container ''\)/,
        ],
        [
          `${specPath}.x-kubernetes-validations[2].rule`,
          /<input>:1:8: found no matching overload for '_==_' applied to '\(int, string\)'/,
        ],
        [`${specPath}.x-kubernetes-validations[3].rule`, /: cel expression must evaluate to a bool$/],
        [
          `${specPath}.x-kubernetes-validations[4].rule`,
          /<input>:1:1: undeclared reference to 'other' \(in container ''\)/,
        ],
      ],
    }),
    refusesDefinition({
      name: 'a message expression must be a string',
      schema: specWith({ a: integer }, { rule: 'self.a > 1', messageExpression: 'self.a' }),
      because: [
        [
          `${specPath}.x-kubernetes-validations[0].messageExpression`,
          'Invalid value: {"Rule":"self.a \\u003e 1","Message":"","MessageExpression":"self.a","Reason":null,"FieldPath":"","OptionalOldSelf":null}: messageExpression must evaluate to a string',
        ],
      ],
    }),
    refusesDefinition({
      name: 'a rule must not be empty, its message has one line, its reason is known, its path exists',
      schema: specWith(
        { a: integer },
        { rule: ' ' },
        { rule: 'self.a > 1', message: 'a\nb' },
        { rule: 'self.a > 1', reason: 'Wrong' },
        { rule: 'self.a > 1', fieldPath: '.b' },
        { rule: 'self.a >\n 1' },
      ),
      because: [
        [`${specPath}.x-kubernetes-validations[0].rule`, 'Required value: rule is not specified'],
        [
          `${specPath}.x-kubernetes-validations[1].message`,
          'Invalid value: "a\\nb": must not contain line breaks',
        ],
        [
          `${specPath}.x-kubernetes-validations[2].reason`,
          'Unsupported value: "Wrong": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
        ],
        [`${specPath}.x-kubernetes-validations[3].fieldPath`, 'Invalid value: ".b": must be a valid path'],
        [
          `${specPath}.x-kubernetes-validations[4].message`,
          'Required value: message must be specified if rule contains line breaks',
        ],
      ],
    }),
    refusesDefinition({
      name: 'the outermost list whose elements cannot be correlated is named',
      schema: {
        type: 'object',
        properties: {
          rows: {
            type: 'array',
            items: { type: 'array', items: specWith({ a: integer }, 'self.a == oldSelf.a') },
          },
        },
      },
      because: [
        [
          `${specPath}.properties[rows].items.items.x-kubernetes-validations[0].rule`,
          `Invalid value: "self.a == oldSelf.a": oldSelf cannot be used on the uncorrelatable portion of the schema within ${specPath}.properties[rows]`,
        ],
      ],
    }),
    refusesDefinition({
      name: 'an old value must be correlatable, and optionalOldSelf needs oldSelf',
      schema: {
        type: 'object',
        properties: { rows: { type: 'array', items: specWith({ a: integer }, 'self.a == oldSelf.a') } },
        'x-kubernetes-validations': [{ rule: 'has(self.rows)', optionalOldSelf: true }],
      },
      because: [
        [
          `${specPath}.properties[rows].items.x-kubernetes-validations[0].rule`,
          `Invalid value: "self.a == oldSelf.a": oldSelf cannot be used on the uncorrelatable portion of the schema within ${specPath}.properties[rows]`,
        ],
        [
          `${specPath}.x-kubernetes-validations[0].optionalOldSelf`,
          'Invalid value: true: may not be set if oldSelf is not used in rule',
        ],
      ],
    }),
  ],
}
