import { constants } from 'node:os';

/**
 * Codes that the providers document: OpenAI and Azure, Anthropic, Google, Mistral, Cohere, DeepSeek, Groq, DashScope,
 * llama.cpp and vLLM.
 */
const OF_PROVIDERS = new Set(
  `account_deactivated api_error authentication_error bad_request billing_error billing_hard_limit_reached
  billing_not_active capacity_exceeded content_filter content_policy_violation context_length_exceeded
  data_inspection_failed deployment_not_found engine_overloaded exceed_context_size_error exceeded_current_quota_error
  inappropriate_content insufficient_balance insufficient_quota integer_above_max_value integer_below_min_value
  internal_error internal_server_error invalid_api_key invalid_authentication invalid_model invalid_organization
  invalid_parameter invalid_prompt invalid_request invalid_request_error invalid_type invalid_value json_validate_failed
  missing_required_parameter model_decommissioned model_not_found model_terms_required not_found not_found_error
  not_supported_error over_capacity overloaded_error permission_denied permission_error quota_exceeded
  rate_limit_error rate_limit_exceeded rate_limited request_too_large requests server_error service_unavailable
  service_tier_capacity_exceeded string_above_max_length string_below_min_length timeout_error tokens
  tool_use_failed unavailable_error unknown_parameter unsupported_country_region_territory unsupported_parameter
  unsupported_value
  AccessDenied Arrearage BadRequest BadRequestError Conflict DataInspectionFailed DeploymentNotFound InternalServerError
  InvalidApiKey InvalidAuthenticationToken InvalidParameter InvalidRequest InvalidSubscriptionKey NoCapacity NotFound
  NotFoundError OperationNotSupported PermissionDenied QuotaExceeded RateLimitReached ResourceNotFound
  ResponsibleAIPolicyViolation ServiceUnavailable Throttling TooManyRequests Unauthorized
  ABORTED ACCESS_TOKEN_EXPIRED ACCESS_TOKEN_SCOPE_INSUFFICIENT ACCOUNT_STATE_INVALID API_KEY_HTTP_REFERRER_BLOCKED
  API_KEY_INVALID API_KEY_IP_ADDRESS_BLOCKED API_KEY_SERVICE_BLOCKED BILLING_DISABLED CANCELLED CONSUMER_INVALID
  CONSUMER_SUSPENDED DEADLINE_EXCEEDED FAILED_PRECONDITION INTERNAL INVALID_ARGUMENT NOT_FOUND PERMISSION_DENIED
  RATE_LIMIT_EXCEEDED RESOURCE_EXHAUSTED RESOURCE_QUOTA_EXCEEDED SERVICE_DISABLED UNAUTHENTICATED UNAVAILABLE
  USER_PROJECT_DENIED`.split(/\s+/),
);
/** Azure and Mistral also number their errors. */
const NUMBER = /^\d{3,4}$/;
/** Codes of Node, of its HTTP parser and name resolution, of undici and of OpenSSL. */
const OF_NODE =
  /^(?:UND_ERR|ERR|HPE|EAI|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME|ADDRESS|PORT|CONNECTION|TLS|PROXY)_[A-Z_]{1,50}$/;
const OF_NAMES = new Set(['ENOTFOUND', 'ENODATA', 'TIMEOUT', 'BAD_RESPONSE', 'REDIRECT_LOOP']);

/** Whether a code is one that providers or Node document. Any other may be a key or a text, whatever its form. */
export function isKnownCode(code: string): boolean {
  return (
    OF_PROVIDERS.has(code) ||
    NUMBER.test(code) ||
    Object.hasOwn(constants.errno, code) ||
    OF_NODE.test(code) ||
    OF_NAMES.has(code)
  );
}
