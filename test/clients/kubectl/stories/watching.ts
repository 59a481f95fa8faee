import { kubectl, type Story } from '../command.js'

const held = `apiVersion: v1
kind: ConfigMap
metadata: { name: held, finalizers: [example.com/hold] }
`

const letGo = kubectl('patch configmap held --type=merge -p {"metadata":{"finalizers":null}}')

/**
 * Commands that wait for a change. Waits without a result last two seconds, because on either server kubectl
 * sometimes reports that a shorter watch was very short.
 */
export const watching: Story = {
  name: 'watching',
  commands: [
    kubectl('create namespace $NS'),
    kubectl('create configmap first --from-literal=a=1'),
    kubectl('get configmaps -w --output-watch-events', {
      begun: /first/,
      meanwhile: [
        kubectl('create configmap second'),
        kubectl('label configmap second x=y'),
        kubectl('delete configmap second'),
      ],
      until: /DELETED +second .*\n/,
    }),
    kubectl('get configmap first -w -o jsonpath={.data.a}{"\\n"}', {
      begun: /1/,
      meanwhile: [kubectl('patch configmap first -p {"data":{"a":"2"}}')],
      until: /2\n/,
    }),
    kubectl('get configmap first -w -o yaml', {
      begun: /name: first/,
      meanwhile: [kubectl('patch configmap first -p {"data":{"a":"3"}}')],
      until: /a: "3"[\s\S]*uid/,
    }),
    kubectl('wait --for=jsonpath={.data.a}=3 configmap/first --timeout=5s'),
    kubectl('wait --for=jsonpath={.data.a}=4 configmap/first --timeout=2s', { code: 1 }),
    kubectl('wait --for=jsonpath={.data.a}=4 configmap/first --timeout=20s -v=6', {
      statusOnly: 'the output contains its calls',
      begun: /watch=true/,
      meanwhile: [kubectl('patch configmap first -p {"data":{"a":"4"}}')],
    }),
    kubectl('wait --for=condition=Ready configmap/first --timeout=2s', { code: 1 }),
    kubectl('wait --for=condition=Ready configmap/none --timeout=2s', { code: 1 }),
    kubectl('wait --for=create configmap/first --timeout=1s'),
    kubectl('wait --for=delete configmap/none --timeout=1s'),
    kubectl('wait --for=delete configmap/first --timeout=2s', { code: 1 }),
    kubectl('wait --for=delete configmap/first --timeout=20s -v=6', {
      statusOnly: 'the output contains its calls',
      begun: /watch=true/,
      meanwhile: [kubectl('delete configmap first')],
    }),
    kubectl('apply -f -', { input: held }),
    kubectl('delete configmap held -v=6', {
      statusOnly: 'the output contains its calls',
      begun: /watch=true/,
      meanwhile: [kubectl("get configmap held -o jsonpath='{.metadata.finalizers}'"), letGo],
    }),
    kubectl('get configmap held', { code: 1 }),
    kubectl('apply -f -', { input: held }),
    kubectl('delete configmap held --timeout=2s', { code: 1 }),
    kubectl('delete configmap held --wait=false'),
    letGo,
    kubectl('create deployment web --image=example.com/web:v1'),
    kubectl('rollout status deployment/web --timeout=2s', { code: 1 }),
    kubectl('wait --for=condition=Available deployment/web --timeout=20s -v=6', {
      statusOnly: 'the output contains its calls',
      begun: /watch=true/,
      meanwhile: [
        kubectl(
          'patch deployment web --subresource=status --type=merge -p {"status":{"observedGeneration":1,"replicas":1,"updatedReplicas":1,"readyReplicas":1,"availableReplicas":1,"conditions":[{"type":"Available","status":"True"}]}}',
        ),
      ],
    }),
    kubectl('wait --for=condition=Available deployment/web --timeout=5s'),
    kubectl('rollout status deployment/web --timeout=5s'),
  ],
}
