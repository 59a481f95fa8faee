import t from 'tap'
import { refusalText } from './refusal-text.js'

void t.test('the reason of a refusal does not repeat the kind and the name', (t) => {
  t.equal(
    refusalText(
      'Website.shop.my.domain "sample" is invalid: spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
    ),
    'spec.replicas must be a whole number, got a string; write it without quotes, if it has them',
  )
  t.equal(
    refusalText(
      'Website in version "v1" cannot be handled as a Website: strict decoding error: unknown field "spec.replcas"',
    ),
    'unknown field "spec.replcas"; correct its name, or remove it',
  )
  t.equal(
    refusalText('namespaces "shop" not found'),
    'namespaces "shop" not found; write the Namespace before this object',
  )
  t.equal(
    refusalText('Backup.a.b "c" is invalid: spec.size: Required value'),
    'spec.size: Required value; set it',
  )
  t.end()
})

void t.test('a value of a wrong type is said in plain words', (t) => {
  const decoding = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal'
  t.equal(
    refusalText(`${decoding} number into Go struct field ConfigMap.data of type string`),
    'data must be a string, got a number; put the value in quotes',
  )
  t.equal(
    refusalText(`${decoding} string into Go struct field ObjectMeta.labels of type map[string]string`),
    'metadata.labels must be an object of strings, got a string; correct it in the sample',
  )
  t.equal(
    refusalText(`${decoding} string into Go struct field PodSpec.spec.containers of type []v1.Container`),
    'spec.containers must be a list, got a string; correct it in the sample',
  )
  t.equal(
    refusalText(
      `${decoding} number into Go struct field ObjectMeta.spec.template.metadata.labels of type string`,
    ),
    'spec.template.metadata.labels must be a string, got a number; put the value in quotes',
  )
  t.equal(
    refusalText(`${decoding} bool into Go struct field ObjectMeta.metadata.name of type string`),
    'metadata.name must be a string, got a boolean; put the value in quotes',
  )
  t.equal(
    refusalText(
      'Deployment.apps "web" is invalid: spec.strategy.type: Unsupported value: "Now": supported values: "Recreate", "RollingUpdate"',
    ),
    'spec.strategy.type: Unsupported value: "Now": supported values: "Recreate", "RollingUpdate"; use one of these values',
  )
  t.end()
})

void t.test('a limit and a rule for names are said in plain words', (t) => {
  const invalid = 'Website.shop.my.domain "sample" is invalid: '
  const tooMany =
    'spec.replicas: Invalid value: 200: spec.replicas in body should be less than or equal to 100'
  t.equal(
    refusalText(`${invalid}${tooMany}`),
    'spec.replicas must be at most 100, got 200; write a value that fits',
  )
  const empty = 'spec.image: Invalid value: "": spec.image in body should be at least 1 chars long'
  t.equal(refusalText(`${invalid}${empty}`), 'spec.image must not be empty, got ""; write a value that fits')
  t.equal(
    refusalText(`${invalid}[spec.image: Required value, ${tooMany}]`),
    'spec.image: Required value; set it; spec.replicas must be at most 100, got 200; write a value that fits',
  )
  t.equal(
    refusalText(
      `ConfigMap "A_1" is invalid: metadata.name: Invalid value: "A_1": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ),
    'metadata.name may have lower-case letters, digits, "-" and ".", and must begin and end with a letter or a digit, got "A_1"; write for example a-1',
  )
  t.end()
})
