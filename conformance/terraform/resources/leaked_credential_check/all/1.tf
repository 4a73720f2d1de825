variable "zone_id" {}

resource "cloudflare_leaked_credential_check" "this" {
  zone_id = var.zone_id
  enabled = true
}
