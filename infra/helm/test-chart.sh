#!/usr/bin/env bash
# Checks the chart with helm:
#   1. Lints and renders it with several values. With kubeconform on the PATH and KUBERNETES_SCHEMAS, a location of its
#      schemas, it validates every object.
#   2. With KUBECONFIG: installs, upgrades, rolls back and uninstalls it in a namespace of its own, and fails if an object
#      is refused or stays. Admission decides; no pod needs to start.
set -euo pipefail
cd "$(dirname "$0")"

version=${KUBERNETES_VERSION:-1.33.0}
external=(--set existingSecret=citewell-secrets --set env.QDRANT_URL=http://qdrant:6333 --set env.S3_BUCKET=citewell)
operators=(--set keda.enabled=true --set keda.prometheusAddress=http://prometheus:9090 --set podMonitor.enabled=true)
extras=(
  --set api.autoscaling.enabled=true
  --set api.ingress.enabled=true --set api.ingress.host=answers.example.com --set api.ingress.tlsSecret=tls
  --set image.registry=registry.example.com --set 'imagePullSecrets[0].name=registry'
)

render() {
  local name=$1
  shift
  helm lint --strict --quiet --kube-version "$version" citewell "$@"
  local objects
  objects=$(helm template test citewell --kube-version "$version" "$@")
  if [ -n "${KUBERNETES_SCHEMAS:-}" ]; then
    kubeconform -strict -summary -skip ScaledObject,PodMonitor -schema-location "$KUBERNETES_SCHEMAS" <<<"$objects"
  fi
  echo "rendered $name: $(grep -c '^kind:' <<<"$objects") objects"
}

render 'the stores of the operator' "${external[@]}"
render 'every option' "${external[@]}" "${operators[@]}" "${extras[@]}"
render 'the bundled stores' --set bundled.enabled=true

large=$(printf 'env: { MAX_UPLOAD_BYTES: 104857600 }' | helm template test citewell --kube-version "$version" "${external[@]}" --values -)
grep -q 'MAX_UPLOAD_BYTES, value: "104857600"' <<<"$large" || { echo 'A large number is not written as digits.' >&2; exit 1; }

for wrong in api.replica=3 env.qdrantUrl=x existingsecret=x; do
  if helm template test citewell --kube-version "$version" "${external[@]}" --set "$wrong" >/dev/null 2>&1; then
    echo "The schema of the values allows $wrong." >&2
    exit 1
  fi
done
echo 'refused: misspelled values'

[ -n "${KUBECONFIG:-}" ] || exit 0

namespace=citewell-chart-$(date +%s)
objects_left() {
  kubectl --namespace "$namespace" get --no-headers --ignore-not-found \
    deployments,statefulsets,jobs,services,horizontalpodautoscalers,ingresses,networkpolicies,poddisruptionbudgets,secrets \
    --selector app.kubernetes.io/part-of=citewell
}
trap 'kubectl delete namespace "$namespace" --wait=false --ignore-not-found >/dev/null' EXIT
kubectl create namespace "$namespace"

# The job of the migration is a hook, which waits for a pod: without nodes it cannot end, so hooks are left out.
helm install test citewell --namespace "$namespace" --no-hooks "${external[@]}"
helm upgrade test citewell --namespace "$namespace" --no-hooks "${external[@]}" "${extras[@]}"
helm rollback test 1 --namespace "$namespace" --no-hooks
helm template test citewell --kube-version "$version" --namespace "$namespace" --show-only templates/migrate.yaml "${external[@]}" |
  kubectl --namespace "$namespace" apply --dry-run=server --filename -
# The objects of KEDA and the Prometheus Operator, where the cluster knows them.
if kubectl get crd scaledobjects.keda.sh podmonitors.monitoring.coreos.com >/dev/null 2>&1; then
  helm upgrade test citewell --namespace "$namespace" --no-hooks "${external[@]}" "${extras[@]}" "${operators[@]}"
fi
helm uninstall test --namespace "$namespace" --no-hooks
[ -z "$(objects_left)" ] || { echo 'Objects are left:' >&2; objects_left >&2; exit 1; }

helm install test citewell --namespace "$namespace" --set bundled.enabled=true
secret() { kubectl --namespace "$namespace" get secret test-bundled -o jsonpath='{.data.POSTGRES_PASSWORD}'; }
before=$(secret)
helm upgrade test citewell --namespace "$namespace" --set bundled.enabled=true --set api.replicas=3
[ "$(secret)" = "$before" ] || { echo 'The upgrade changed a password.' >&2; exit 1; }
helm uninstall test --namespace "$namespace"
[ -z "$(objects_left)" ] || { echo 'Objects are left:' >&2; objects_left >&2; exit 1; }
echo 'installed, upgraded, rolled back, uninstalled: nothing is left'
