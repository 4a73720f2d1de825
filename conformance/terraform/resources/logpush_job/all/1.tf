variable "zone_id" {}
variable "files" {}

resource "cloudflare_logpush_job" "this" {
  zone_id          = var.zone_id
  dataset          = "http_requests"
  destination_conf = "file://${var.files}/lifecycle/{DATE}"
  enabled          = true
  name             = "requests"
  output_options = {
    field_names      = ["RayID", "ClientIP"]
    timestamp_format = "rfc3339"
  }
}
