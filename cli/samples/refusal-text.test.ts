import t from 'tap'
import { refusalText } from './refusal-text.js'

void t.test('the reason of a refusal does not repeat the kind and the name', (t) => {
  t.equal(
    refusalText(
      'Website.shop.my.domain "sample" is invalid: spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
    ),
    'spec.replicas must be of type integer, got a string; correct the sample',
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
    'ConfigMap.data must be of type string, got a number; put the value in quotes',
  )
  t.equal(
    refusalText(`${decoding} string into Go struct field ObjectMeta.labels of type map[string]string`),
    'ObjectMeta.labels must be of type map[string]string, got a string; correct the sample',
  )
  t.end()
})
