// Valid input for the fuzzers to start from: make_corpus <folder> fills <folder>/csv, npy and so on, one folder per fuzzer.
#include <zlib.h>

#include <cstdio>
#include <fstream>

#include "bochner/store/model_file.hpp"
#include "bochner/tables/atomic_file.hpp"
#include "tests/support/fixtures.hpp"

using namespace bochner;

namespace {

std::string gzip(std::string_view text) {
  z_stream z{};
  deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, text.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

void fill(const std::string& folder, const std::vector<std::string>& files) {
  make_folder(folder);
  for (std::size_t i = 0; i < files.size(); ++i) write_file(folder + "/seed" + std::to_string(i), files[i]);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "make_corpus <folder>\n");
    return 1;
  }
  const std::string folder = arguments[1];
  const std::vector<std::string> tables = {
      "id,a,b\nx,1,2\ny,3,\n",
      "id;a;b\r\nx;1.5;-2e-3\r\ny;NA;.\r\n",
      "\"\"\t\"a \"\"q\"\"\"\t\"b\nc\"\n\"x,y\"\t1\tnan\n",
      "\xef\xbb\xbfid|b|c||\nx|1|2||\n||||\n",
      "sep=;\nid;a\nx;1\n",
      "\"a\"\t\"b\"\n\"r1\"\t1\t2\n",
      "1,2\n3,4\n",
      "y\n1.5\n2.5\n",
      "id\ra\r1\r",
      "id,\xce\xb2,b\n\xf0\x9f\xa7\xac,1e308,123456789012345678\n",
      "id,a\nx,\"1,234.5\"\ny,<0.5\nz,12%\n",
  };
  std::vector<std::string> csv;
  for (const std::string& table : tables)
    for (const char options : {'\0', '\1', '\2', '\4', '\x10'}) csv.push_back(options + table);
  csv.push_back('\0' + gzip(tables[0]));
  csv.push_back('\0' + gzip("id,a\n") + gzip("x,1\n"));
  fill(folder + "/csv", csv);

  fill(folder + "/npy", {testing::npy_f8, testing::npy_f4_fortran_big, testing::npy_i2_big, testing::npy_i8,
                         testing::npy_u8_big, testing::npy_u1, testing::npy_b1, testing::npy_f2,
                         testing::npy_v2, testing::npy_v3});
  fill(folder + "/npz", {testing::npz_stored, testing::npz_deflated});

  ModelGroup inner, model;
  inner.set("name", "rna").set("columns", std::vector<std::string>{"TP53", "x"});
  model.set("X", Matrix(Matrix::Constant(3, 2, 1.5)))
      .set("seed", 7)
      .set("view", inner)
      .set("v", Vector(Vector::Ones(4)));
  const std::string file = format_model(model);
  fill(folder + "/hdf5",
       {testing::hdf5_small, testing::hdf5_small_gzip, testing::hdf5_earliest, testing::hdf5_v110, file});
  fill(folder + "/anndata", {testing::anndata_file, testing::anndata_csr, testing::anndata_csc});
  fill(folder + "/model",
       {file, file.substr(0, 512), format_model({}), "\x04\x01\x02\x03recipe for a tree \x07\x06 abc"});
  fill(folder + "/config",
       {"steps = 300\nkernel = 'ngsm'  # a comment\nlr = 2.5e-3\nquiet = true\n",
        "view = [\"rna=a.csv\", 'protein=b.npy',\n  \"t\\u00e9\\n\"]\nseed = 1_000\nx = inf\ny = -nan\n"});
  fill(folder + "/kernel",
       {"\1rbf", "\2matern32*periodic+linear", "\3rbf[1,2]+periodic[3]", "\2scaled(rbf*linear)",
        "\4(sm+bsm)*ngsm[2]", "\1rq + poly3 + arccos1 * gibbs", "\2(rbf+affine)[2,1]"});
  fill(folder + "/symmetry", {"negate", "negate:a,b\nnegate:3", "negate:axes:3", "negate:pca:2",
                              "rotate:a,b:4", "translate:hour:24", "longitude:12", "permute:a,b,c",
                              "flip:3x4:ud", "flip:3x4:lr", "shift:3x4:1,2", "negate\nrotate:1,2:3"});
  fill(folder + "/features", {"auto", "exact", "random", "300", "orthogonal:300", "nystrom:500",
                              "standardise", "converged", "whole"});
  const std::string token = "00112233445566778899aabbccddeeff",
                    host = " HTTP/1.1\r\nHost: localhost:8642\r\n";
  fill(folder + "/http",
       {"GET /" + token + "/" + host + "\r\n", "GET /" + token + "/state.json" + host + "Accept: */*\r\n\r\n",
        "HEAD /" + token + "/decode.json?x=0.5,-1e-3" + host + "\r\n", "POST /" + token + "/" + host + "\r\n",
        "GET /" + token + "/../config.toml" + host + "Content-Length: 0\r\n\r\n",
        "GET / HTTP/1.0\r\nHost: [::1]:8642\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"});
  return 0;
}
