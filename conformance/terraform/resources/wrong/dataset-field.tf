# says: "pointer":"/output_options/field_names/1"
# says: http_requests has no such field; did you mean ClientIP?

variable "zone_id" {}

variable "files" {}

resource "cloudflare_logpush_job" "this" {
  zone_id          = var.zone_id
  dataset          = "http_requests"
  destination_conf = "file://${var.files}/logs"
  output_options = {
    field_names = ["RayID", "ClientIPP"]
  }
}
