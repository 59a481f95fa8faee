// Starts the operator against the cluster of the current kubeconfig context, or of its pod.
import { createOperator } from 'vcluster-plugin-sdk/operator'
import { register } from './register.js'

const operator = createOperator({ name: 'memcached-helm-operator' })
await register(operator)
await operator.start()
