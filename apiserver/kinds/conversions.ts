import type { Conversion } from '../resources/served-resource.js'
import { autoscalerConversion } from './autoscaler-conversion.js'
import { eventConversion } from './event.js'

/** The versions whose objects are stored in another version, by `group/version/plural`. */
export const conversions: Readonly<Record<string, Conversion>> = {
  'autoscaling/v1/horizontalpodautoscalers': autoscalerConversion,
  'events.k8s.io/v1/events': eventConversion,
}
