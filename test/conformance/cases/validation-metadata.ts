import type { Case, CaseGroup } from '../case.js'

const objectMeta = 'k8s.io/apimachinery pkg/api/validation/objectmeta.go @ v0.36.3'
const namePart =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

const refuses = (name: string, metadata: object, ...because: string[]): Case => ({
  name,
  source: objectMeta,
  async run({ post, expect }) {
    const answer = await post('configmaps', { metadata: { name: 'a', ...metadata } })
    expect.invalid(answer, { kind: 'ConfigMap', name: 'a', because })
  },
})

const accepts = (name: string, metadata: object): Case => ({
  name,
  source: objectMeta,
  async run({ make, expect }) {
    expect.has(await make('configmaps', { metadata: { name: 'a', ...metadata } }), { metadata })
  },
})

const long = 'x'.repeat(64)
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }

/** Validation of labels, annotations and owner references. */
export const validationMetadata: CaseGroup = {
  name: 'validation-metadata',
  cases: [
    accepts('labels may have a prefix, capitals, dots and empty values', {
      labels: { 'x.example/Key_1.a': 'Value-1_a.b', empty: '' },
    }),
    accepts('a label may have 63 characters', { labels: { ['k'.repeat(63)]: 'v'.repeat(63) } }),
    refuses(
      'a label value of 64 characters is rejected',
      { labels: { k: long } },
      `metadata.labels: Invalid value: "${long}": must be no more than 63 bytes`,
    ),
    refuses(
      'a label name of 64 characters is rejected',
      { labels: { [long]: 'v' } },
      `metadata.labels: Invalid value: "${long}": name part must be no more than 63 bytes`,
    ),
    refuses(
      'a label value with a space is rejected',
      { labels: { k: 'not valid' } },
      `metadata.labels: Invalid value: "not valid": ${labelValue}`,
    ),
    refuses(
      'a label name with a space is rejected',
      { labels: { 'not valid': 'v' } },
      `metadata.labels: Invalid value: "not valid": ${namePart}`,
    ),
    refuses(
      'an empty label name is rejected',
      { labels: { '': 'v' } },
      'metadata.labels: Invalid value: "": name part must be non-empty',
      `metadata.labels: Invalid value: "": ${namePart}`,
    ),
    refuses(
      'an empty prefix is rejected',
      { labels: { '/k': 'v' } },
      'metadata.labels: Invalid value: "/k": prefix part must be non-empty',
    ),
    refuses(
      'an upper-case prefix is rejected',
      { labels: { 'X.example/k': 'v' } },
      `metadata.labels: Invalid value: "X.example/k": prefix part ${subdomain}`,
    ),
    refuses(
      'two slashes in a label name are rejected',
      { labels: { 'a/b/c': 'v' } },
      "metadata.labels: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ),
    accepts('an annotation may have any value', {
      annotations: { 'x.example/any': 'a b\nc \u2028 { "d": 1 }' },
    }),
    refuses(
      'an annotation name with a space is rejected',
      { annotations: { 'not valid': 'v' } },
      `metadata.annotations: Invalid value: "not valid": ${namePart}`,
    ),
    refuses(
      'annotations of more than 256 KiB in total are rejected',
      { annotations: { a: 'x'.repeat(200_000), b: 'x'.repeat(100_000) } },
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ),
    accepts('annotations of just 256 KiB are accepted', { annotations: { a: 'x'.repeat(262_143) } }),
    {
      name: 'an annotation name may be upper case',
      source: objectMeta,
      async run({ make, expect }) {
        const annotations = { 'X.Example/Key': 'v' }
        expect.has(await make('configmaps', { metadata: { name: 'a', annotations } }), {
          metadata: { annotations },
        })
      },
    },
    refuses(
      'an owner reference needs all its fields',
      { ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ),
    refuses(
      'an Event cannot be an owner',
      { ownerReferences: [{ ...owner, kind: 'Event' }] },
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"o","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ),
    refuses(
      'an object has at most one controller',
      {
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, name: 'p', uid: 'v', controller: true },
        ],
      },
      'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"u","controller":true},{"apiVersion":"v1","kind":"ConfigMap","name":"p","uid":"v","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for ConfigMap/o and ConfigMap/p',
    ),
    {
      name: 'several errors are reported together',
      source: objectMeta,
      async run({ post, expect }) {
        const metadata = { name: 'A', labels: { k: 'not valid' }, annotations: { 'not valid': 'v' } }
        expect.invalid(await post('configmaps', { metadata }), {
          kind: 'ConfigMap',
          name: 'A',
          because: [
            `metadata.name: Invalid value: "A": ${subdomain}`,
            `metadata.labels: Invalid value: "not valid": ${labelValue}`,
            `metadata.annotations: Invalid value: "not valid": ${namePart}`,
          ],
        })
      },
    },
    {
      name: 'a generateName must be a valid prefix',
      source: objectMeta,
      async run({ post, expect }) {
        const answer = await post('configmaps', { metadata: { generateName: 'Not-' } })
        expect.answer(answer, 422, {
          reason: 'Invalid',
          details: { causes: [{ field: 'metadata.generateName' }, { field: 'metadata.name' }] },
        })
      },
    },
    {
      name: 'metadata that is not an object is a 400',
      source: 'k8s.io/apimachinery pkg/runtime/serializer/json/json.go @ v0.36.3',
      async run({ post, expect }) {
        expect.answer(await post('configmaps', { metadata: 'a' }), 400, { reason: 'BadRequest' })
      },
    },
    {
      name: 'a label that is a number is a 400',
      source: 'k8s.io/apimachinery pkg/runtime/serializer/json/json.go @ v0.36.3',
      async run({ post, expect }) {
        expect.refused(await post('configmaps', { metadata: { name: 'a', labels: { k: 1 } } }), {
          code: 400,
          reason: 'BadRequest',
          message:
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
        })
      },
    },
    {
      name: 'null labels count as missing',
      source: 'k8s.io/apimachinery pkg/runtime/serializer/json/json.go @ v0.36.3',
      async run({ make, expect }) {
        const made = await make('configmaps', {
          metadata: { name: 'a', labels: null, annotations: {} },
          data: null,
        })
        expect.has(made, { data: undefined, metadata: { labels: undefined, annotations: undefined } })
      },
    },
  ],
}
