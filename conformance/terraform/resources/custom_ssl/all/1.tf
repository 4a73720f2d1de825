variable "zone_id" {}
variable "certificate" {}
variable "private_key" {}
variable "next_certificate" {}
variable "next_private_key" {}

resource "cloudflare_custom_ssl" "this" {
  zone_id       = var.zone_id
  certificate   = var.certificate
  private_key   = var.private_key
  bundle_method = "force"
  type          = "sni_custom"
}
