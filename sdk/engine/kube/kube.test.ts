import { execFileSync } from 'node:child_process'
import { symlinkSync, truncateSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { checkDnsLabel } from './dns-label.js'
import {
  ApiError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
  PluginError,
} from './error.js'
import { matchesFields, parseFieldSelector } from './field-selector.js'
import { cloneJson, freezeJson, jsonEqual, parseJson, stringifyJson } from './json.js'
import { formatKey, keyOf, parseKey } from './key.js'
import { formatLabelSelector, labelSelectorRequirements, matchesLabels } from './label-selector.js'
import { parseLabelSelector } from './parse-label-selector.js'
import { readTextFile } from './read-text-file.js'
import { apiVersionOf, formatResource, resourcePath } from './resource.js'

const deep = (depth: number) => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`

void t.test('JSON keeps what the API server can hold', async (t) => {
  void t.test('an integer that a double cannot hold keeps its digits', async (t) => {
    const text = '{"a":9007199254740993,"b":[-9223372036854775808],"c":9007199254740991,"d":1.5}'
    const value = parseJson(text)
    t.strictSame(value, { a: 9007199254740993n, b: [-9223372036854775808n], c: 9007199254740991, d: 1.5 })
    t.equal(stringifyJson(value), text)
    t.equal(stringifyJson(cloneJson(value)), text)
  })

  void t.test('an unsafe integer is found anywhere in the text', async (t) => {
    for (let offset = 0; offset < 40; offset++) {
      for (const number of ['9007199254740993', '-9223372036854775807']) {
        const text = `{"${'k'.repeat(offset)}":${number}}`
        t.equal(stringifyJson(parseJson(text)), text)
        const spaced = `[${' '.repeat(offset)}123456789012345,${number} ]`
        t.equal(stringifyJson(parseJson(spaced)), `[123456789012345,${number}]`)
      }
    }
    t.equal(parseJson('9007199254740993'), 9007199254740993n)
  })

  void t.test('digits inside strings and fractions stay what they are', async (t) => {
    const text =
      '{"uid:9007199254740993":"a\\\\\\":9007199254740993,","b":0.12345678901234568,"c":[],"d":9007199254740993}'
    const value = parseJson(text)
    t.strictSame(value, {
      'uid:9007199254740993': 'a\\":9007199254740993,',
      b: 0.12345678901234568,
      c: [],
      d: 9007199254740993n,
    })
  })

  void t.test('a member named __proto__ is a member like any other', async (t) => {
    for (const number of ['1', '9007199254740993']) {
      const text = `{"data":{"__proto__":{"polluted":${number}},"constructor":"x"}}`
      const value = parseJson(text)
      t.equal(stringifyJson(value), text)
      t.equal(stringifyJson(cloneJson(value)), text)
      t.ok(jsonEqual(value, parseJson(text)))
      t.notOk(jsonEqual(parseJson('{"data":{}}'), parseJson('{"data":{"__proto__":{}}}')))
      t.notOk(jsonEqual(parseJson('{"data":{"__proto__":{}}}'), parseJson('{"data":{}}')))
      t.notOk(jsonEqual({}, parseJson('{"constructor":"x"}')))
      t.equal(Reflect.get({}, 'polluted'), undefined)
    }
  })

  void t.test('nesting deeper than the call stack is read, written, copied and compared', async (t) => {
    for (const text of [deep(10_000), deep(10_000).replace('1', '9007199254740993')]) {
      const value = parseJson(text)
      t.ok(stringifyJson(value) === text)
      t.ok(stringifyJson(cloneJson(value)) === text)
      t.ok(jsonEqual(value, parseJson(text)))
      t.notOk(jsonEqual(value, parseJson(deep(10_000).replace('1', '2'))))
    }
  })

  void t.test('lone surrogates and separators come back as they went', async (t) => {
    const value = { data: '\ud800', other: '\u2028\u0000', n: 9007199254740993n }
    t.strictSame(parseJson(stringifyJson(value)), value)
    t.strictSame(parseJson(Buffer.from('{"a":"ä\u2028"}').subarray(0)), { a: 'ä\u2028' })
    t.strictSame(parseJson(Buffer.from([0x22, 0xff, 0x22])), '\ufffd')
  })

  void t.test('toJSON is also called if the value has an integer that a double cannot hold', async (t) => {
    const value = { at: new Date(0), n: 9007199254740993n }
    t.equal(stringifyJson(value), '{"at":"1970-01-01T00:00:00.000Z","n":9007199254740993}')
  })

  void t.test('a text that is not JSON is refused without being quoted', async (t) => {
    for (const text of ['{"password":"hunter2" x}', '{"password":hunter2}', '"hunter2', '']) {
      const error = await Promise.resolve(text)
        .then(parseJson)
        .catch((e: unknown) => e)
      t.match(error, SyntaxError)
      t.notMatch(String(error), /hunter2|password/)
    }
  })

  void t.test('a value that is not JSON is not written', async (t) => {
    const loop: Record<string, unknown> = { n: 1n }
    loop.self = [loop]
    t.throws(() => stringifyJson(loop), /contains itself/)
    t.throws(() => stringifyJson(undefined), /type undefined/)
    const twice = { a: 1n }
    t.equal(stringifyJson([twice, twice, undefined]), '[{"a":1},{"a":1},null]')
  })

  void t.test('any value comes back equal', async () => {
    const tie = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 0, -0, 1e300, 9007199254740993n, -9223372036854775808n, '', '"\\'),
        fc.string(),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
        fc.array(tie('value')),
        fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value')),
      ),
    }))
    fc.assert(
      fc.property(tie.value, (value) => {
        const text = stringifyJson(value)
        return jsonEqual(parseJson(text), value) && stringifyJson(cloneJson(parseJson(text))) === text
      }),
    )
  })
})

void t.test('JSON is compared as the API server stores it', async (t) => {
  t.ok(jsonEqual({ a: undefined, b: [undefined] }, { b: [null] }), 'an undefined member is absent')
  t.notOk(jsonEqual({ a: null }, {}), 'null is not absent')
  t.ok(jsonEqual({ a: 1, b: 2 }, { b: 2, a: 1 }), 'order of members does not matter')
  t.notOk(jsonEqual([1, 2], [2, 1]), 'order of elements does')
  t.notOk(jsonEqual({ a: 1 }, { a: 1, b: 1 }))
  t.notOk(jsonEqual({ a: 1, b: 1 }, { a: 1 }))
  t.notOk(jsonEqual([], {}))
  t.notOk(jsonEqual('1', 1))
  t.ok(jsonEqual(-0, 0))
  t.ok(jsonEqual([5n], [5]) && jsonEqual(5, 5n))
  t.notOk(jsonEqual(5n, 5.5) || jsonEqual('5', 5n))
})

void t.test('a copy of a frozen value can be changed', async (t) => {
  const original = Object.freeze({ labels: Object.freeze({ a: '1' }), list: Object.freeze([{ b: 1 }]) })
  const copy: { labels: Record<string, string>; list: unknown } = cloneJson(original)
  copy.labels.c = '2'
  t.strictSame([original.labels, copy.list], [{ a: '1' }, [{ b: 1 }]])
})

void t.test('a frozen value is frozen all the way down, however deep and wide', async (t) => {
  const value = { text: 'a', none: null, inner: { list: [{ deep: '1' }] } }
  t.equal(freezeJson(value), value)
  for (const part of [value, value.inner, value.inner.list, value.inner.list[0]]) t.ok(Object.isFrozen(part))
  t.equal(freezeJson(undefined), undefined)
  let deep: object = {}
  for (let depth = 0; depth < 20_000; depth++) deep = { deep }
  const wide = Array.from({ length: 300_000 }, () => 0)
  t.ok(Object.isFrozen(freezeJson({ deep, wide }).wide))
})

void t.test('a label selector is read, written and matched as the API server does it', async (t) => {
  const labels = { app: 'web', size: '10', empty: '' }
  const cases: [text: string, canonical: string, matches: boolean][] = [
    ['', '', true],
    [' app = web ', 'app=web', true],
    ['app==web,!canary', 'app=web,!canary', true],
    ['app!=web', 'app!=web', false],
    ['canary!=yes', 'canary!=yes', true],
    ['app in (web, api)', 'app in (api,web)', true],
    ['app notin (web,api)', 'app notin (api,web)', false],
    ['canary notin (a)', 'canary!=a', true],
    ['in in (in),notin', 'in=in,notin', false],
    ['app,size>9,size<11', 'app,size>9,size<11', true],
    ['app>9', 'app>9', false],
    ['size>10', 'size>10', false],
    ['empty=', 'empty=', true],
    ['empty in (),empty in (a,,b)', 'empty=,empty in (,a,b)', true],
    ['constructor', 'constructor', false],
    ['!toString,example.com/name!=x', '!toString,example.com/name!=x', true],
  ]
  for (const [text, canonical, matches] of cases) {
    const requirements = parseLabelSelector(text)
    t.equal(formatLabelSelector(requirements), canonical, text)
    t.equal(matchesLabels(requirements, labels), matches, text)
    t.equal(formatLabelSelector(parseLabelSelector(canonical)), canonical)
  }
  t.ok(matchesLabels([], undefined))
})

void t.test("a label selector that makes no sense is refused in the API server's words", async (t) => {
  const cases: [text: string, message: RegExp][] = [
    [',a', /^found ',', expected: !, identifier, or 'end of string'$/],
    ['a,', /^found '', expected: identifier after ','$/],
    ['a b', /^unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt$/],
    ['!', /found '', expected: identifier$/],
    ['!a=b', /^found '=', expected: ',' or 'end of string'$/],
    ['a=b c', /^found 'c', expected: ',' or 'end of string'$/],
    ['a==!', /found '!', expected: identifier$/],
    ['a in b', /found 'b' expected: '\('$/],
    ['a in (b c)', /found 'c', expected: ',' or '\)'$/],
    ['a in (b', /found '', expected: ',' or '\)'$/],
    ['a>x', /must be an integer/],
    ['-a', /<nil>: Invalid value: "-a": name part must consist of/],
    ['A_b/c', /Invalid value: "A_b\/c"/],
    [`a=${'x'.repeat(64)}`, /values\[0\]\[a\]: Invalid value: .*: must be no more than 63 bytes/],
  ]
  for (const [text, message] of cases) {
    t.throws(() => parseLabelSelector(text), { code: 'INVALID_SELECTOR', message }, text)
  }
})

void t.test('a selector object means the same as its text', async (t) => {
  const selector = {
    matchLabels: { app: 'web' },
    matchExpressions: [
      { key: 'tier', operator: 'NotIn', values: ['a', 'b'] },
      { key: 'x', operator: 'Exists' },
      { key: 'y', operator: 'DoesNotExist' },
    ],
  }
  t.equal(formatLabelSelector(labelSelectorRequirements(selector)), 'app=web,tier notin (a,b),x,!y')
  t.strictSame(labelSelectorRequirements(), [])
  for (const expression of [
    { key: 'a', operator: 'Gt', values: ['1'] },
    { key: 'a', operator: 'In' },
    { key: 'a', operator: 'Exists', values: ['b'] },
  ]) {
    t.throws(() => labelSelectorRequirements({ matchExpressions: [expression] }), PluginError)
  }
})

void t.test('a field selector is read with its escapes', async (t) => {
  const fields = new Map([
    ['metadata.name', 'a,b=c\\'],
    ['status.phase', 'Running'],
  ])
  const matches = (text: string) => matchesFields(parseFieldSelector(text), (field) => fields.get(field))
  t.ok(matches('metadata.name=a\\,b\\=c\\\\,status.phase==Running,spec.nodeName='))
  t.ok(matches(',status.phase!=Failed,'))
  t.notOk(matches('status.phase!=Running'))
  t.throws(() => parseFieldSelector('a=b,c'), { message: "invalid selector: 'a=b,c'; can't understand 'c'" })
  t.throws(() => parseFieldSelector('a=b=c'), { message: /unescaped character in value: 61/ })
  t.throws(() => parseFieldSelector('a=b\\x'), { message: /invalid escape sequence: \\x/ })
  t.throws(() => parseFieldSelector('a=b\\'), { message: /invalid escape sequence: \\$/ })
})

void t.test('a hostile selector of a megabyte is read in linear time', async (t) => {
  for (const text of [
    'a'.repeat(1e6),
    '\\'.repeat(1e6),
    '='.repeat(1e6),
    `a in (${','.repeat(1e6)}`,
    ' '.repeat(1e6),
  ]) {
    for (const parse of [parseLabelSelector, parseFieldSelector]) {
      try {
        parse(text)
      } catch (error) {
        t.ok(error instanceof PluginError)
      }
    }
  }
})

void t.test('a key is a namespace and a name, and comes back from its text', async (t) => {
  for (const key of [
    { namespace: 'default', name: 'a' },
    { namespace: '', name: 'node-1' },
  ]) {
    t.strictSame(parseKey(formatKey(key)), key)
    t.strictSame(keyOf({ metadata: key }), key)
  }
  t.strictSame(keyOf({ metadata: { name: 'node-1' } }), { namespace: '', name: 'node-1' })
  t.equal(formatKey({ namespace: 'default', name: 'a' }), 'default/a')
})

void t.test('a resource knows its URLs and names', async (t) => {
  const leases = {
    group: 'coordination.k8s.io',
    version: 'v1',
    kind: 'Lease',
    plural: 'leases',
    namespaced: true,
  }
  const nodes = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false }
  t.equal(resourcePath(leases), '/apis/coordination.k8s.io/v1/leases')
  t.equal(
    resourcePath(leases, { namespace: 'a', name: 'b/c', subresource: 'status' }),
    '/apis/coordination.k8s.io/v1/namespaces/a/leases/b%2Fc/status',
  )
  t.equal(resourcePath(nodes, { namespace: 'ignored', name: 'n' }), '/api/v1/nodes/n')
  t.strictSame([apiVersionOf(leases), apiVersionOf(nodes)], ['coordination.k8s.io/v1', 'v1'])
  t.strictSame([formatResource(leases), formatResource(nodes)], ['leases.coordination.k8s.io', 'nodes'])
})

void t.test('the message of an ApiError has no difference of objects', async (t) => {
  const forbidden = 'Forbidden: pod updates may not change fields other than `spec.containers[*].image`'
  // As Kubernetes 1.36 writes it, and as earlier versions do.
  const differences = [
    '@@ -13,7 +13,7 @@\n    "Env": [\n-     "Value": "$& s3cret",\n    ],\n',
    '  core.PodSpec{\n- \tEnv: "$& s3cret",\n  }\n',
  ]
  const other = 'Invalid value: 1: must be 2'
  for (const difference of differences) {
    const cause = `${forbidden}\n${difference}`
    const message = `Pod "a" is invalid: [spec: ${cause}, spec.b: ${other}]`
    const causes = [
      { field: 'spec', message: cause },
      { field: 'spec.b', message: other },
      { field: 'spec.c' },
    ]
    const error = new ApiError({ code: 422, reason: 'Invalid', message, details: { causes } })
    t.equal(error.message, `Pod "a" is invalid: [spec: ${forbidden}, spec.b: ${other}]`)
    t.notMatch(error.stack, 's3cret')
    t.equal(error.status.message, message)
  }
  const quoted = 'Invalid value: {"env":[{"value":"s3cret"}]}: field is immutable'
  const forms = [
    'core.PodSpec{Env: "s3cret"}',
    'map[string]interface {}{"a":"s3cret"}',
    'sets.Set[string]{"s3cret"}',
  ]
  for (const object of [quoted, ...forms.map((form) => `Invalid value: ${form}: field is immutable`)]) {
    const message = `Job.batch "a" is invalid: spec.template: ${object}`
    const causes = [{ field: 'spec.template', message: object }]
    const error = new ApiError({ code: 422, reason: 'Invalid', message, details: { causes } })
    t.equal(error.message, 'Job.batch "a" is invalid: spec.template: Invalid value: {…}: field is immutable')
  }
  const text = 'the webhook denied the request:\n- a\n- b'
  t.equal(new ApiError({ code: 403, message: text }).message, text, 'other lines stay')
  const lines = { code: 422, message: text, details: { causes: [{ message: text }, { message: '\nb' }] } }
  t.equal(new ApiError(lines).message, text, 'and those of causes')
  const blank = `${forbidden}\n \n\n  core.PodSpec{ s3cret }`
  const withBlank = { code: 422, message: blank, details: { causes: [{ message: blank }] } }
  t.match(new ApiError(withBlank).message, /: Forbidden: [^\n]*`$/, 'nor after blank lines')
})

void t.test('an ApiError of a server that writes very much is made in little time', async (t) => {
  const breaks = { code: 422, message: 'a', details: { causes: [{ message: '\n'.repeat(1_000_000) }] } }
  t.equal(new ApiError(breaks).message, 'a')
  const causes = Array.from({ length: 200_000 }, (_, index) => ({ message: `b\na${index}{` }))
  const message = `it is invalid: ${causes.map((cause) => cause.message).join('')}`
  const shown = causes.map(() => 'b').join(', ')
  t.equal(new ApiError({ code: 422, message, details: { causes } }).message, `it is invalid: [${shown}]`)
})

void t.test('an ApiError is made of any Status, also of one that no API server writes', (t) => {
  const odd = { kind: 'Status', code: 404, message: null, details: { causes: [null, 'a', { message: 1 }] } }
  t.equal(new ApiError(odd as never).message, 'the API server answered 404')
  const without = { code: 404, message: 'gone', details: { causes: null } }
  t.equal(new ApiError(without as never).message, 'gone')
  const number = { code: 422, message: 5, details: { causes: [{ message: 'a\n@@ -1', field: 2 }] } }
  t.equal(new ApiError(number as never).message, 'the API server rejects the object: a')
  t.end()
})

void t.test('functions tell the reasons of an ApiError apart', async (t) => {
  const all = {
    isNotFound,
    isAlreadyExists,
    isConflict,
    isForbidden,
    isUnauthorized,
    isInvalid,
    isGone,
    isTooManyRequests,
  }
  const meant = (error: unknown) => Object.entries(all).flatMap(([name, is]) => (is(error) ? [name] : []))
  const answers: [code: number, reason: string, meaning: string[]][] = [
    [404, 'NotFound', ['isNotFound']],
    [409, 'AlreadyExists', ['isAlreadyExists']],
    [409, 'Conflict', ['isConflict']],
    [403, 'Forbidden', ['isForbidden']],
    [401, 'Unauthorized', ['isUnauthorized']],
    [422, 'Invalid', ['isInvalid']],
    [410, 'Expired', ['isGone']],
    [429, '', ['isTooManyRequests']],
    [500, 'InternalError', []],
  ]
  for (const [code, reason, meaning] of answers) {
    t.strictSame(meant(new ApiError({ code, reason })), meaning)
  }
  t.strictSame(meant(new Error('no')), [])
  t.match(new ApiError({}), { code: 500, reason: '', message: 'the API server answered with an error' })
})

void t.test('a name that becomes a part of paths and labels has to be a DNS label', async (t) => {
  for (const fit of ['a', '0', 'vcluster-vc', 'a'.repeat(63)]) checkDnsLabel('X', fit)
  const unfit = [
    '',
    'Upper',
    '-a',
    'a-',
    'a.b',
    'a b',
    'a\n',
    'bad/configmaps/../../kube-system',
    'a'.repeat(300),
  ]
  for (const value of unfit) t.throws(() => checkDnsLabel('X', value), { code: 'INVALID_NAME' }, value)
  t.throws(() => checkDnsLabel('TARGET_NAMESPACE', 'bad/configmaps/../../kube-system'), {
    message:
      'TARGET_NAMESPACE must be a DNS label, got "bad/configmaps/../../kube-system": use at most 63 lower-case letters, digits and "-", beginning and ending with a letter or digit',
  })
  t.throws(() => checkDnsLabel('the name of the operator', undefined as never), {
    code: 'INVALID_NAME',
    message: /^the name of the operator is missing: set it, and use at most 63 lower-case letters/,
  })
  t.throws(() => checkDnsLabel('X', 'a'.repeat(300)), {
    message: /^X must be a DNS label, got "a{80}…" \(300 characters\): /,
  })
})

void t.test('a file is read unless it is too large, or no file at all', async (t) => {
  const dir = t.testdir({ small: 'äöü', large: '' })
  truncateSync(`${dir}/large`, 200 * 2 ** 20)
  symlinkSync(`${dir}/small`, `${dir}/link`)
  execFileSync('mkfifo', [`${dir}/pipe`])
  const limit = { maxBytes: 2 ** 20 }
  t.equal(await readTextFile(`${dir}/small`, limit), 'äöü')
  t.equal(await readTextFile(`${dir}/link`, limit), 'äöü')
  await t.rejects(readTextFile(`${dir}/large`, limit), {
    name: 'UnfitFileError',
    message: 'it has 200.0 MiB, more than the 1.0 MiB that are read',
  })
  for (const other of [`${dir}/pipe`, dir, '/dev/zero'])
    await t.rejects(readTextFile(other, limit), {
      name: 'UnfitFileError',
      message: 'it is not a regular file',
    })
  await t.rejects(readTextFile(`${dir}/none`, limit), { code: 'ENOENT' })
})
