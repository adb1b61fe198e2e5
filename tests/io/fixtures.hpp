#pragma once
#include <zlib.h>

#include <string>
#include <string_view>

namespace bochner::testing {

/// The bytes behind base64 of a zlib stream, which is how the files below are kept.
inline std::string unpack(std::string_view base64) {
  std::string packed, out(1 << 16, '\0');
  unsigned bits = 0, count = 0;
  for (const char c : base64) {
    const std::size_t digit =
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (digit == std::string_view::npos) break;  // padding
    bits = bits << 6 | static_cast<unsigned>(digit);
    count += 6;
    if (count >= 8) packed += static_cast<char>(bits >> (count -= 8) & 0xff);
  }
  uLongf size = out.size();
  uncompress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
             packed.size());
  out.resize(size);
  return out;
}

// Written by numpy 2: np.lib.format.write_array(file, array, version), then base64(zlib.compress(bytes)).
inline const std::string npy_f8 = unpack(  // 2x3: 1 2 3; 4 5 6.5
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuk2ahrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RpGOgrGmjoKtQpkAy4GMPhg"
    "D6EZHCAUB5QWgNIiUFrKAQDHAx4l");
inline const std::string npy_f4_fortran_big = unpack(  // the same as '>f4' in Fortran order
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBul2airqOgnpZfVFKUmBefX5SSChIPKSpNBQoXZyQWpAK5GkY6CsaaOgq1CuQDLvsGBgYH"
    "EGYA4gVADGQ4XGBgAAAQAx9y");
inline const std::string npy_i2_big = unpack(  // '>i2', 3x2
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBul2mkrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RrGOgpGmjoKtQpkAy4Gxv//"
    "GHUaGBhYGdgAuDkeJQ==");
inline const std::string npy_i8 = unpack(  // '<i8', -2^53 and 2^40
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuk2mhrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqGOgpGmjoKtQpkAy4GMHjw"
    "H0wxMjAAACG4HVE=");
inline const std::string npy_u8_big = unpack(  // '>u8', 2^63
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuV2qhrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqGOgqGmjoKtQpkA64GBggA"
    "AD5dG/4=");
inline const std::string npy_u1 = unpack(  // '|u1', one dimension
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBeU2qorqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RrGOpo6CrUKFAAuhv/sAMeK"
    "HKw=");
inline const std::string npy_b1 = unpack(  // '|b1'
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBek2SorqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqGOgpGmjoKtQpkAy5GBgCl"
    "Exuk");
inline const std::string npy_f2 = unpack(  // '<f2', 0.5 -2 nan
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuk2akrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqGOgrGmjoKtQpkAy4GC4YD"
    "DHUA/agc3w==");
inline const std::string npy_v2 = unpack(  // format 2.0
    "eNqb7BfqGxDJxFDCwMBQrZ6SWpxcpG6loG6TZqGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GkY6CsaaOgq1CmQCLgYw"
    "+GAPoRkcIBQHlBaA0iJQWsoBAIi5HeQ=");
inline const std::string npy_v3 = unpack(  // format 3.0
    "eNqb7BfqGxDJzFDCwMBQrZ6SWpxcpG6loG6TZqGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GkY6CsaaOgq1CmQCLgYw"
    "+GAPoRkcIBQHlBaA0iJQWsoBAIljHeU=");

// np.savez(file, X=[[1, 2, 3], [4, 5, 6.5]], y=[1., 2.]) and np.savez_compressed of the same.
inline const std::string npz_stored = unpack(
    "eNoL8GZm0WWAAEWG3cL2L/5DASuDCEOEXl5BJSODAMMGqBIYPdkv1DcgkpGhjKFaPSW1OLlI3UpB3SbNQl1HQT0tv6ikKDEvPr8o"
    "JRUk7paYU5wKFC/OSCxIBfI1jHQUjDV1FGoVyAZcEFd8sIc6xwFCcUBpASgtAqWlHAJQvJkSvWo/sjcrYd6cAFUygTrepMyTWLwZ"
    "4M3IpMuMGl8boNHCyoAADYwgEhx76FpAfp8A9SKqludAshKihZUNJMQEhGlAeh3YNABVFWfu");
inline const std::string npz_deflated = unpack(
    "eNoL8GZm0WVgYOAAYkWG3cL2L/5DASuDCEOEXl5BJSODAMMGBgiIgtKz34i/khY4eSLgWMDaeZOi5sQsyVu6IG9y2sJ1ixfMmxYf"
    "EjRlhvj8+CmTuITKvc9o+rF2iaeriC1h+inlZsV1bJYV11auFGY9NoMfCfwLJWUURNiniDVcUgqIOsXIEIDioJToVfuRHVQJc9AE"
    "qEN8KHcQ2DkiDHDnAJ3AyKTLjBoqII+DAoGVAQEaGEEkOIzQtYDcDXLaBAwtE4FkJUQLKxtIiAkI04C0CNg0AE1ibWQ=");

// h5py 3, once with libver="earliest" (symbol tables, B-trees of version 1) and once with "v110":
//   X (2x3 doubles: 1 2 3; 4 5 6.5), y (3 '>i4'), deep/gz (4x3 '<f4' 0..11, chunks 2x2, shuffle and gzip), flags (2x2 bool,
//   identity), words (text), cube (3-D), none (0x3), named (compound), lzf (compressed by h5py's own filter), sparse (group with
//   indices and indptr), infinite (2x2, inf last).
inline const std::string hdf5_earliest = unpack(
    "eNrtWkFPE0EUfjPbbYcCUoSIISjVqOmRICoHE5aEYg8GiWjCiVDoFppgQQqxYoxgYsBbjx49eiQh8ezNKwkXj8Rf0LMX3N2Z2Xan"
    "nW3BIgXmu3w7s2/fzLx9MzvvzX5OjI23h3vDYIMQCEAEynHE8PWRt8zvzzJGjHcYf8O8Hjn3rrP6TqZflHvxPB4HwK5+sZ2BAOUE"
    "K0fuMgaFy4BEfHTS5l1WXmQcC51uuwh06tuIl2OUMa1g7gsaY7GsWZ5vS3ZGR4A4NQYMtcLQERPQrVr7PsZUIWEzRUNMHAaEHuXP"
    "9D1MTTwbQxDknYOo5i/Pe78f9Zfj68NO0Lue8Am+y+q5mt2b/vqmGRce1vArfnHn/9qx0q+oBRBCgv9wjjiikRaAQJkl5P4zwF5R"
    "m9ByoSnnt+w7Ib5/vg5Me90D9oNefQsbXj9KNKifvN23jFOmuWJzeim5kLP4zfJqyub59TnTrs8uZyknX5kpi5c20s5zuZXkas66"
    "k8mmM9nMmgnQ2P7K7FlgE3J3sFy6OMIuDEqEcYRxN+Neg3XRXua0/Mz87ObH4HYw+C4UgpZ2DE7Nlt52xSCgT6JbTnlT6wh09/X1"
    "3UAde/jAqUJa8Ek0APg77FnaUHLu393HhYHsYaDiiKEDHIZDogiWP+pjieIH9Q1WUFBQULg4oHE3ksfdXew7qEx1KWHHen7xb0CI"
    "UwLS+LffjVt6CPTw7ZQbv2hUYSsMO2WE+W6NODvZ3OJ6Or1kuvoRq0+Z1s57rVTvxj9Yy3eXNny41LXhBsS/qBT/XlU+ctJ1B1mv"
    "RFx3apnzMfHGfSDZ1U8wuS7JfY4ZQR+WyL8m1dvDgt8rKCgoKCgoKCg0Oh6p7zxOxpol7+TFMVURIVwVgfHRp1NxZ2/6Ms6U+5yv"
    "bJHqO7/FM7aH9xypcvx0PF2IPiIf3ydSfSf85Zz5B433kFaff1Ta66Tnt9vMfkaT+Yd3voAQr4M0fj/u+MVMEke+yfzDO1+QK8fH"
    "n3eur2F6kpqssx17XeH5jrk6Y8RqNpbb96fkfDfW0PxOw+aHm9+h6y/iBn5v39fcc1HbRjoqnfOX5XOm73nzOWz8iYb6B83v6O6s"
    "Ld72l+fZpMNb/nKTjH+FvP4lnsfyt/ejv4Z/8dmkN3N+pzKv3FHjuYMaeRaVh1ZQUFBQUFBQuFio9T/C8JB3/6twuSD+/8v/b90f"
    "9MplsqnMvJmzeWVttRRvGaeUN5D+r03AjYv98yW/iXdEHM35vzaNk7Ebj8Xu1xevbj5QPnwcv6rMtxzXr/5I/pgonBN7nFI+qsJO"
    "4RYqERV6dLb5yr+8IPZj");
inline const std::string hdf5_v110 = unpack(
    "eNrtWV1sVEUUPmfuz97uttvdsra4LLFVY8QEqUlRok26XS63m9iUpi2hQULYn1uyFbc/S2mpwQL+8BM1EBJjgjUYDQgJIVpjMDZi"
    "4gMP+iDhQZ/QIM+mUR+qL3Xu3Jnr7i2lldawG/c89Mw5Mzsz5zvnnpkzPR7XjSpv2CtpGgia45SK2HIj18unLp7aGte7CIyRGkvx"
    "6Sq7Qw/Z3EsAKeuF/4x6JiaPsC0gID4KQAgi4X0S525ZCgEG61vANjAKTT5omqOdCt2t5NWoJRLyTsdUOAtFTxu+6Qg7WFAPUChQ"
    "ctteCRiooK5jUn2BzY3c5kox4RUoWUqOv1pfEJpzLrJDU60Cysie8Q4BUNuKbeHZocuPuENTdrlDvmNoPuS4p06Dugngoenz1QIS"
    "Ym0c2Qh0WpYDZUJ9SIgseXeIad8oFncc9789YrTGdUC/V2xuP2+c+/6Jr4xWPQYo9t3MA5E5Djq4FGB/d3HJzjRDBX1ttwY+XCgZ"
    "LMSlBsBNBFieCmg2p3iC0drevQV6urZtobr8r+SwVug6OF2UH8Cltw4ccyeDebZrgKvQtjnfxNe1wnEwDSVNXWPX2xwsmqhd0uJx"
    "MQ+rJRwaRzluUbHwyeLD4ic9FTS6aWj38zMadbT9O/la88di1EwLFJiicR7gPMR5OAp2+FgwSWO7UrsPHVGPqurLHg9UVNHka2kO"
    "K5X+qAZKJzYw+ZBULYcikcharJ4iN5gKJbWtXgbyOUxZ8ZhILtdM/KcZRcsMnGmJKgA/ez3uIWThn94FiZkJKFOZylSmMpXp/0ru"
    "6za4Chq4h9pblGhQQrV35e+/bbxX6PjtHF33D+lJwKeJXY4n7OJElIVJkBcD8Zq7mH+nWKHrf/iF2HLDblm3d58vTOtqhIMyxV6C"
    "veN9DGgFLajpjW+tVVsTq7bWsDpvEzfEC9nofcPuyprdPxhd8U7wMGMDMO/NTufhJK7786Dh5FviinLeL5GHI0IqLHTrbs5WxHpo"
    "pa9Y46xZ049Ph8QaYpXrn/xRZ3TTUSD2h3e8fVvrdcIY84Pdc5vf38WCgg/0xv6M9bQboLxy0PRAAwt9jz/gg2b2PnBt+6VaOEGb"
    "fjiz5oMIvEib1fDlF78+ButZczgy2Ajv0mYQfkk+dwJ2Mu3N2f1n4QJ7b1h3YcdFeIDNu+nk7cvQzuY9H52cgXHWPJ16ZnP5RLjf"
    "h9EiD341ViB5Mtl0JmXmWursH6pBS6tS7eC+4edX8+nW/8vle7fNbV7S+6sGTiLKT9m3eD5Z7XzdpeuKN98bubro89NdsPir4GGv"
    "tLHY+NRHtSt6YHGMvBXAE3Dp3JN2Dn02asT1mPOvIovebz82S7HpnXLOADxw1TkX5LRpDn5LhKj07U3syX0tO/LowHA6953iDE+N"
    "JM0fVUfMDmTNDQFndDbxkpnuDwpZoqf9uRohqbnBxHDOnK4VCi2T7ctkM/vM7Q+W0+tK0d+i9g9r");

// The same libver="earliest", one dataset X (3x2 doubles 0..5): contiguous, and in 2x2 chunks with shuffle, gzip and fletcher32.
inline const std::string hdf5_small = unpack(
    "eNrr9HBx4+WS4mIAAQ4OBhYGAQZk8B8KDDhQ+TD5BCjNCKU7oPQKJpg4I1hOAiouCDUfXV1IkKsrSPV/NACzx4AFQnMwjIKRCDxc"
    "HQNAdASUD0ulJ5hQ1UWgpUcPCu1lZGCFmMUI42tAaCaIADNUHcwZmHwJsFZBBXto2nVgMOFmMPkPVcgKFAXJMzFBDOSA5hRmRlhS"
    "N0BzUcWAxkOwn78LKEfD8qEC82jaHAWjYHiAD/ZQhgO0toXSAlBaxAEAFUYwXw==");
inline const std::string hdf5_small_gzip = unpack(
    "eNrr9HBx4+WS4mIAAQ4OBhYGAQZk8B8K7vGj8mHyCVCaEUp3QOkVTDBxRrCcBFRcEGo+urqQIFdXkOr/aABmjwELhOZgGAUjEXi4"
    "OgaA6AgoH5ZKTzChqotAS48eFNrLyMAGMYsRxteA0EwQAWaoOpgzMPkSYK2CCvbQtOvAYMLNYPIfqpAVKAqSZ2KGGMjNEADmMzLD"
    "zOEA56DijNK0tJxUePpnhIqnpKblJJakMrDA7YOEDFBtSXJGapGxESzfQHIgMxNzBSvCiUyILKVAVHgE+/m7MIJth+piHk2b5ABQ"
    "eccIDH708k6cgL4N0HJYHC2doYPj/Kh8JjR6tBwdBaNgFIyCUTAKRsEoGBqgIi454QCjnUGBwQ1rC2AzLpRxR3r6PUawMB+Li4SE"
    "jIyEBAPTG4alibVvvACm2Foa");

// anndata 0.12: X as above, observations "cell1" and "cell" with a beta behind it, variables TP53, ACTB, MYC, obsm["pca"]
// (1 2; 3 4).
inline const std::string anndata_file = unpack(
    "eNrtXL1TG0cU35NAOkDYh41twF9nDB6IjSOMg7FniIUBW0USaxIKp4ovkmwzA5JGyB7oXDodZcqUKZlULildZVK65E+gTOfobt87"
    "7a60JwXdEWd4v+bNWz3tvnv3Plb7Fn7Jrjwe7B/rZy5Mk/Uwi4n4BMg8kXn8/DlQA+g7oL/HcLzH+2wExi2Y345zfh/G175fXWUs"
    "5s+vrnPYw6kN/MIqUEY4CciuLuVcugd8Dv1tJdp1h8BfVb9OsSz49yk2zExWLOXLhfXSy5naTqVYHx81DO+blh8bphQnycaQN5aC"
    "JzLqK0rzvSlWt9bLJdSn3by9wrwxb9zknxm41hSnMcOXcQHh2MTH65HrSg7ZD2HaDLs7wO5+iuN6fP5YjE9oQqTHDQz5tGTPbu0m"
    "Pl9cyCcLCT72zF/Javk+f/ju6Yqbk2AKdhAPfv8Z9L+v5TxXAX43I6+2m5DlMGG9T8j569cZWW4f+IMv/x/xGIW/9njjyZb1Ip2U"
    "6wXmA3zfKP8xIev503qpUNxmrKbUqcwRnxv1+XtS1icFmhhssG6PEZYvb7zeLM2Uq4ViNdAOhiHpJVGzYaMUaOzax7U3Plc7+yaE"
    "eRItnufJ8tNvDMGBpfxUh1MqFZya4+eFXqDp27O300KewHGnWnV24F3K8nc8+V7lOWtM1i2hvLekMp4vbmz8+Yf/SP587vhsnfb5"
    "74Njq1Z1vRLVYv0avQYUvXaUeXB8G+hgm3VOadY5DTzq6Rr3RdXZLCpZS/3ekMY+Z5R8/e2Pyx49yxox5WJpee2RS4eV8bXcV3Mu"
    "Pdfmec5r9LrQ5nlGNN8b1fjNmEb+oqJ3YT3vuc4ljV9e1shf0chf1cjbGvlrGvlxjfx1jfyERn5SI39DI49YSNFekUAgEAgEAoFA"
    "IATh8KF8LGLiqRbQYaBjGfG8xlTOF5LKuUVK4Qfw9wzwwwp/Fn/HAn+mY/0IBAKBQCD8G/C+u6Htu6fh4NIiU51INPeP+Yk+9q2w"
    "L9ToG/N+sa4v1egXM6VfnIZWgS2t322/OCXsJ/tYo3+3DQfvjX6x3ZE9eP845vef7PFgeYybvybIl+T3Gn7/uN8bT/D+ceT+movc"
    "XwcjspPbm8R7Ler9hG717xPWOR2R/lym9T2B7WnO73VY3xZuMmE1wkmDeo8E87U9Lcthvx39MdvluuivH29xfr8pf7S+R6K7h4X5"
    "rTnPZmC+o98bGepgH9C4L9ZtXq1Ecm9MzKvnBPu/vdXNPsDw88bUFxRLn8s+4LxQ3w7wwsR0+PXtQkT6jzD9vWlzTs4X7erbq1mq"
    "b1Tfmuubkl5ZJe9I/thtfev03rGOHv3e8W+R7MvF+BwV4nHvjlo/rI7qxbM0+ebnUi/GhHqh3sPu1m/E/tbFiPS/FFAv3s23qhdM"
    "Wy8IVC/EfIb5Kj2v5neOXEjrYvwdwv7Gmg8//i5HFH9XgvZrDyj+CN3H397944m/yj3O794PP/6uRhR/dlD9W6T4I4RQ/xaPqf5B"
    "vbAWw4+/axHF33hQ/Vui+COEUP8yx1T/lL/rDTP+rkcUfxMB8ff2McUfIYT6txJt/CFw3fLPWx5941SR3wR+E/gK8B7dcHbqAcTY"
    "69KWpN/ziOzEz/N6/WPU7D3ZLuo+Gs9TPyzJcofAW2BfjN/3N2Q5tY8xhfPNKfMpv5/x/6N8eKDIKfuM/wr+vkexQ5h5dzKivOu+"
    "kn8AXXdEEw==");

}  // namespace bochner::testing
